import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { beganCold, LONG_TIMEOUTS, Sandbox } from "./bench.ts";

/** A smoke run: it proves nothing, and shows that everything is there. */
const SMOKE = ["--rounds", "1", "-z", "0.5", "--warmup", "0.1"];

Deno.test("stampede versus runs a server on two releases of its runtime", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout, stderr } = await sandbox.run(
    ["versus", "text", "--servers", "deno", "--base", "deno@2.9.4", "--head", "deno@2.9.5"]
      .concat(SMOKE, "--no-counts"),
    LONG_TIMEOUTS,
  );
  strictEqual(code, beganCold(stdout) ? 3 : 0, stdout + stderr);
  match(stdout, /base: .* on deno@2\.9\.4; head: .* on deno@2\.9\.5/);
  const [report] = await sandbox.reports() as unknown as Report[];
  match(report?.versions["base: Deno"] ?? "", /^deno 2\.9\.4 /);
  match(report?.versions["head: Deno"] ?? "", /^deno 2\.9\.5 /);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede releases compares each release with the one before it", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout, stderr } = await sandbox.run(
    ["releases", "deno", "--from", "2.9.3", "--to", "2.9.5", "--each", "patch", ...SMOKE]
      .concat("--html", "page.html"),
    LONG_TIMEOUTS,
  );
  strictEqual(code, 0, stdout + stderr);
  for (const release of ["deno@2.9.3", "deno@2.9.4", "deno@2.9.5"]) {
    match(stdout, new RegExp(`^${release} +[\\d.]+ µs .* MiB .* MiB`, "m"));
  }
  const [report] = await sandbox.reports() as unknown as Report[];
  strictEqual(report?.experiment.kind, "releases");
  const heads = report.changes?.changes.map(({ variant }) => variant) ?? [];
  deepStrictEqual([...new Set(heads)], ["deno-2.9.4", "deno-2.9.5"]);
  const page = await Deno.readTextFile(`${sandbox.folder}/page.html`);
  ok(page.includes("deno@2.9.3 to deno@2.9.5 at text"));
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede releases refuses what it cannot compare", async () => {
  await using sandbox = await Sandbox.create();
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [["perl", "--from", "1"], /There is no runtime "perl": choose from deno, node, bun/],
    [["deno"], /give the first one, such as --from 2\.4/],
    [["deno", "--from", "new"], /Cannot read the version "new": write it as 2, 2\.8 or 2\.8\.3/],
    [["deno", "--from", "2.9.6", "--to", "2.9.6"], /Cannot compare 1 releases: choose 2 to 12/],
    [
      ["deno", "--from", "2.9", "--to", "2.9", "--each", "patch", "--servers", "go-http"],
      /Cannot run Go .* on deno@2\.9\.\d+: its manifest starts it with bin\/server/,
    ],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await sandbox.run(["releases", ...args]);
    strictEqual(code, 2, stderr);
    match(stderr, message);
  }
});
