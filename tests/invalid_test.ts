import { deepStrictEqual, match, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Result } from "../src/model/derived.ts";
import type { Report } from "../src/model/report.ts";
import { Sandbox } from "./bench.ts";

const SERVERS = fileURLToPath(new URL("./servers/", import.meta.url));
const SHORT = ["--rounds", "1", "-z", "0.5", "--warmup", "0.2", "--no-slices"];

const { success: HAS_WRK } = await new Deno.Command("sh", { args: ["-c", "command -v wrk"] })
  .output();

/** Returns the result of a test server, and its line of the table. */
type Measured = (id: string) => { readonly result: Result; readonly line: string };

/** Measures one scenario of test servers in one run. */
async function measure(
  scenario: string,
  servers: readonly string[],
  database: "embedded" | "shared",
  generator = "autocannon",
): Promise<Measured> {
  await using sandbox = await Sandbox.create(database);
  const manifests = servers.flatMap((id) => ["--server", `${SERVERS}${id}/server.json`]);
  const args = [scenario, ...manifests, ...SHORT, "--generator", generator];
  const { code, stdout, stderr } = await sandbox.run(args);
  deepStrictEqual(code, 1, stdout + stderr);
  const [report] = await sandbox.reports() as unknown as Report[];
  deepStrictEqual(await sandbox.leftovers(), []);
  return (id) => {
    const result = report?.results.find(({ variant }) => variant === id);
    ok(result, stdout);
    const name = servers.length === 1 ? scenario : id;
    const line = new RegExp(`^[ –\\d]*${name} .*$`, "m").exec(stdout)?.[0] ?? stdout;
    return { result, line };
  };
}

for (const generator of ["autocannon", "stampede"]) {
  Deno.test(`${generator}: wrong, surplus and doubled responses are invalid, with the reason, and interim ones are not`, async () => {
    const servers = ["sloppy", "lavish", "doubling", "hinting"];
    const measured = await measure("text", servers, "shared", generator);
    const { result, line } = measured("sloppy");
    deepStrictEqual(
      [result.status, result.requestsPerS, result.bottleneck],
      ["invalid", null, null],
    );
    match(line, /invalid: \d+ wrong responses under load, such as Hello wurld$/);
    match(measured("lavish").line, /invalid: \d+ surplus bytes came after a response/);
    match(
      measured("doubling").line,
      /invalid: \d+ wrong responses under load, such as bytes after a response that belong/,
    );
    deepStrictEqual(measured("hinting").result.status, "ok");
  });
}

Deno.test("a server that asks the database twice for each response: invalid, with the reason", async () => {
  // Statements are counted only in the embedded database. Pending requests at the end have statements but no
  // response, which matters if a slow machine gives few responses.
  const { result, line } = (await measure("sql1", ["chatty"], "embedded"))("chatty");
  deepStrictEqual(result.status, "invalid");
  match(line, /invalid: the database executed (1\.9|2\.[0-4])\d\d statements per response/);
});

Deno.test({
  name: "wrk cannot tell surplus and interim responses from others: invalid, with the reason",
  ignore: !HAS_WRK,
  async fn(): Promise<void> {
    const measured = await measure("text", ["doubling", "hinting"], "shared", "wrk");
    match(measured("doubling").line, /invalid: \d+ surplus bytes came after a response/);
    match(
      measured("hinting").line,
      /invalid: .*interim responses \(status 103\), which wrk counts as final responses/,
    );
  },
});
