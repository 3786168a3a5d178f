/**
 * Whether the tests pass on a restless machine: `deno task test:restless [runs]` runs them beside two
 * busy loops that go on and off at random, and counts. docs/testing.md has its last output.
 */
import { ProcessScope } from "../src/process/scope.ts";
import { disturb, LOOPS } from "./busy_loops.ts";

const RUNS = Number(Deno.args[0] ?? 10);
/** Of a run that ended early, so many lines. */
const WORDS = 20;

function say(text: string): void {
  // deno-lint-ignore no-console -- this script has nothing else to say it
  console.log(text);
}

await using scope = new ProcessScope();

/** Runs the tests once; returns their last line and whether they passed. */
async function runTests(): Promise<{ line: string; isFine: boolean }> {
  const lines: string[] = [];
  const tests = scope.spawn({
    argv: [Deno.execPath(), "task", "test"],
    env: { ...Deno.env.toObject(), NO_COLOR: "1" },
    onLine: (line) => void lines.push(line),
  });
  const { success } = await tests.ended;
  const text = lines.join("\n");
  const line = text.match(/^(ok|FAILED) \| .*$/gm)?.at(-1) ??
    `It ended early:\n${lines.slice(-WORDS).join("\n")}${tests.lastWords}`;
  const errors = text.match(/^ ERRORS $[\s\S]*?^ FAILURES $/gm) ?? [];
  return { line: [line, ...errors].join("\n"), isFine: success };
}

disturb(scope);
let passed = 0;
for (let i = 1; i <= RUNS; i++) {
  const { line, isFine } = await runTests();
  if (isFine) passed++;
  say(`${i}: ${line}`);
}
say(`${passed} of ${RUNS} passed beside ${LOOPS} busy loops`);
Deno.exitCode = passed === RUNS ? 0 : 1;
