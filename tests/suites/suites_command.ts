/**
 * Runs conformance suites of other projects against Stampede's own server:
 * `deno task test:suites [SUITE...]`. docs/reliability.md has the results, tests/suites/known.ts lists
 * the known failures.
 */
import { ProcessScope } from "../../src/process/scope.ts";
import { runSuites } from "./run_suites.ts";
import { SUITES } from "./suites.ts";

const USAGE = `deno task test:suites [SUITE...]

${SUITES.map(({ id, name }) => `  ${id.padEnd(10)}${name}`).join("\n")}

Runs the named suites; default: all. A suite installs the program that it needs
into Stampede's cache, or is reported as missing. Exit code 1: a case failed that
is not in tests/suites/known.ts, or a case in that list passed.`;

// deno-lint-ignore no-console -- this script's own output
const say = console.log;

if (Deno.args.includes("--help")) {
  say(USAGE);
  Deno.exit(0);
}
const unknown = Deno.args.filter((id) => !SUITES.some((suite) => suite.id === id));
if (unknown.length > 0) {
  say(`There is no suite "${unknown.join(", ")}".\n\n${USAGE}`);
  Deno.exit(2);
}
const chosen = SUITES.filter(({ id }) => Deno.args.length === 0 || Deno.args.includes(id));
await using scope = new ProcessScope();
const isFine = await runSuites(scope, chosen, say);
await scope[Symbol.asyncDispose]();
Deno.exit(isFine ? 0 : 1);
