/** Scenario files that end the process. Each test runs the command in a separate process. */
import { deepStrictEqual, match } from "node:assert/strict";
import { Sandbox } from "./bench.ts";

/** Text of the file, exit code of the command, and its message. */
const CASES: Readonly<Record<string, readonly [text: string, code: number, says: RegExp]>> = {
  "when it is loaded": [
    "Deno.exit(0);",
    2,
    /^Cannot load the scenario .*mine\.js: it ends the process, which a scenario must not$/m,
  ],
  "when it is loaded, by Node.js": [
    'import process from "node:process"; process.exit(0);',
    2,
    /^Cannot load the scenario .*mine\.js: it ends the process, which a scenario must not$/m,
  ],
  "when it is read": [
    'export default { id: "mine", get request() { Deno.exit(0); } };',
    2,
    /^Cannot use the scenario .*mine\.js: .*it ends the process, which a scenario must not$/m,
  ],
  "when it looks at a response": [
    'export default { id: "mine", request: { path: "/" }, expect() { Deno.exit(0); } };',
    1,
    /^mine +invalid: .*it ends the process, which a scenario must not$/m,
  ],
};

for (const [when, [text, code, says]] of Object.entries(CASES)) {
  Deno.test(`a scenario file cannot end the process ${when}`, async () => {
    await using sandbox = await Sandbox.create();
    await Deno.writeTextFile(`${sandbox.folder}/mine.js`, text);
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response("hello"),
    );
    const origin = `http://127.0.0.1:${server.addr.port}`;
    const outcome = await sandbox.run([origin, "--scenario", "mine.js", "--quick"]);
    match(outcome.stdout + outcome.stderr, says);
    deepStrictEqual([outcome.code, await sandbox.leftovers()], [code, []]);
  });
}
