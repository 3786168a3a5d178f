/**
 * Runs the tests many times on a busy machine: `deno task test:restless [runs] [loops | compiler]`. Two busy loops
 * start and stop at random, or a compiler runs all the time. docs/testing.md has the last outputs.
 */
import { ProcessScope } from "../src/process/scope.ts";
import { compile, disturb, LOOPS } from "./busy_loops.ts";

const RUNS = Number(Deno.args[0] ?? 10);
const DISTURBANCE = Deno.args[1] ?? "loops";
if (!(RUNS > 0) || !["loops", "compiler"].includes(DISTURBANCE)) {
  throw new Error("Usage: deno task test:restless [runs] [loops | compiler]");
}
/** Number of printed lines of a run that ended early. */
const WORDS = 20;

function say(text: string): void {
  // deno-lint-ignore no-console -- this script's own output
  console.log(text);
}

await using scope = new ProcessScope();

/** Runs the tests once and returns their last line, and whether they passed. */
async function runTests(): Promise<{ line: string; isFine: boolean }> {
  const lines: string[] = [];
  const tests = scope.spawn({
    argv: [Deno.execPath(), "task", "test"],
    env: { ...Deno.env.toObject(), NO_COLOR: "1", STAMPEDE_TEST_ONCE: "1" },
    onLine: (line) => void lines.push(line),
  });
  const { success } = await tests.ended;
  const text = lines.join("\n");
  const line = text.match(/^(ok|FAILED) \| .*$/gm)?.at(-1) ??
    `The tests ended early:\n${lines.slice(-WORDS).join("\n")}${tests.lastWords}`;
  const errors = text.match(/^ ERRORS $[\s\S]*?^ FAILURES $/gm) ?? [];
  return { line: [line, ...errors].join("\n"), isFine: success };
}

if (DISTURBANCE === "compiler") await compile(scope);
else disturb(scope);
let passed = 0;
for (let i = 1; i <= RUNS; i++) {
  const { line, isFine } = await runTests();
  if (isFine) passed++;
  say(`${i}: ${line}`);
}
const disturbance = DISTURBANCE === "compiler" ? "a compiler" : `${LOOPS} busy loops`;
say(`${passed} of ${RUNS} runs passed next to ${disturbance}`);
Deno.exitCode = passed === RUNS ? 0 : 1;
