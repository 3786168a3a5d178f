/** Merges the counts of k6 runners. */
import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import type { DistributedReport } from "../src/model/report.ts";
import { runnerOf, textOf } from "../src/distributed/runner_testdata.ts";
import { Sandbox } from "./bench.ts";

const HALVES = {
  "a.json": textOf(runnerOf("0:1/2", { 40: 2900, 50: 100 })),
  "b.json": textOf(runnerOf("1/2:1", { 40: 2900, 120: 100 })),
};

async function withHalves(sandbox: Sandbox): Promise<void> {
  for (const [name, text] of Object.entries(HALVES)) {
    await Deno.writeTextFile(`${sandbox.folder}/${name}`, text);
  }
}

Deno.test("a limit that is missed makes import fail, and report and history know the merged run", async () => {
  await using sandbox = await Sandbox.create();
  await withHalves(sandbox);
  const files = ["a.json", "b.json"];
  const missed = await sandbox.tell(["import", "k6", ...files, "--out", "results/missed.json"]);
  strictEqual(missed.code, 1);
  match(missed.stdout, /The SLO is not met: text p99 < 50 ms \(about \d+/);
  match(missed.stdout, /The slowest runner at text: b\.json\./);
  const met = await sandbox.tell(
    ["import", "k6", ...files, "--slo", "p99<2s", "--out", "results/met.json"],
  );
  strictEqual(met.code, 0, met.stderr);
  match(met.stdout, /The SLO is met\./);
  match(met.stdout, /within 4\.9 % of the true value/);
  const drawn = await sandbox.tell(["report", "results/missed.json"]);
  strictEqual(drawn.code, 0, drawn.stderr);
  match(drawn.stdout, /2 runners together:/);
  const formats = {
    markdown: /^\| Scenario \|[^]*^Measured on 2026-11-23:\n\n- stampede [^]*^Run it again:/m,
    html:
      /<title>10\.0\.0\.7:8000 at text – Stampede<[^]*<caption>2 runners together<[^]*Run it again/,
    csv: /^\w+,2026-11-23T18:00:00\.000Z,,10\.0\.0\.7:8000,text,256,200,ok,/m,
    json: /^ "kind": "distributed",$/m,
  };
  for (const [format, expected] of Object.entries(formats)) {
    const told = await sandbox.tell(["report", "results/met.json", "--format", format]);
    strictEqual(told.code, 0, told.stderr);
    match(told.stdout, expected);
  }
  const picture = await sandbox.tell(["report", "results/met.json", "--format", "svg"]);
  match(picture.stderr, /^Cannot draw merged runners as SVG/);
  const explained = await sandbox.tell(["report", "results/met.json", "--explain", "text"]);
  match(explained.stderr, /^Cannot explain merged runners/);
  const { code, stdout } = await sandbox.tell(["history"]);
  deepStrictEqual([code, stdout.match(/10\.0\.0\.7:8000/g)?.length], [0, 2]);
  const pair = ["compare", "results/missed.json", "results/met.json"];
  const compared = await sandbox.tell(pair);
  strictEqual(compared.code, 0, compared.stderr);
  match(compared.stdout, /^text +p99 ms +[\d.]+ +[\d.]+ +\+0\.0 % \[−9\.1 %, \+10\.0 %\]$/m);
  match(compared.stdout, /a change may be noise, and nothing is proven/);
  strictEqual((await sandbox.tell([...pair, "--fail-on", "5%"])).code, 0);
  strictEqual((await sandbox.tell([...pair, "--fail-on", "5%", "--strict"])).code, 3);
  match(
    (await sandbox.tell([...pair, "--html", "page.html"])).stderr,
    /^Cannot write merged runners as HTML/,
  );
  const { stdout: json } = await sandbox.tell([...pair, "--json", "--markdown", "changes.md"]);
  deepStrictEqual(JSON.parse(json)[0].figure, "goodputPerS");
  match(await Deno.readTextFile(`${sandbox.folder}/changes.md`), /^\| Scenario +\| Figure/);
});

Deno.test("a runner that is missing, damaged or foreign is named and refused, unless --partial", async () => {
  await using sandbox = await Sandbox.create();
  await withHalves(sandbox);
  const b = HALVES["b.json"];
  await Deno.writeTextFile(`${sandbox.folder}/cut.json`, b.slice(0, -30));
  await Deno.writeTextFile(
    `${sandbox.folder}/foreign.json`,
    b.replace("0123456789abcdef", "fedcba9876543210"),
  );
  const cases: readonly (readonly [files: readonly string[], problem: RegExp])[] = [
    [["a.json"], /the file of a runner is missing \(1\/2:1 of the load\)/],
    [["a.json", "none.json"], /Cannot merge none\.json: there is no such file/],
    [["a.json", "cut.json"], /Cannot merge cut\.json: it is damaged or incomplete/],
    [["a.json", "foreign.json"], /foreign\.json: they belong to different loads/],
    [["a.json", "a.json"], /would count twice/],
  ];
  for (const [files, problem] of cases) {
    const refused = await sandbox.tell(["import", "k6", ...files]);
    strictEqual(refused.code, 2, refused.stdout);
    match(refused.stderr, problem);
    strictEqual(refused.stderr.trim().split("\n").length, 1);
    const partial = await sandbox.tell(["import", "k6", "--partial", "--json", ...files]);
    strictEqual(partial.code, 3, partial.stderr);
    const { kind, complete, missing }: DistributedReport = JSON.parse(partial.stdout);
    deepStrictEqual([kind, complete, missing], ["distributed", false, ["1/2:1"]]);
  }
  const met = await sandbox.tell(["import", "k6", "--partial", "a.json", "--slo", "p99<2s"]);
  strictEqual(met.code, 3, met.stderr);
  match(
    met.stdout,
    /It is unknown whether the SLO is met, because a part of the load is missing\./,
  );
  match(met.stdout, /The rest: text p99 < 2 s \(about [\d.]+ ms\)\./);
});

Deno.test("a log says why it lacks the output of runners", async () => {
  await using sandbox = await Sandbox.create();
  const refused = 'level=error msg="GoError: text: the server answers 0 dial\\n\\tat x"\n';
  await Deno.writeTextFile(`${sandbox.folder}/none.log`, refused);
  await Deno.writeTextFile(`${sandbox.folder}/half.log`, refused + HALVES["a.json"] + refused);
  const reported = "The runners reported: text: the server answers 0 dial\n";
  const none = await sandbox.tell(["import", "k6", "none.log"]);
  deepStrictEqual([none.code, none.stderr], [
    2,
    `Cannot merge none.log: it does not contain the output of a runner. ${reported}`,
  ]);
  const half = await sandbox.tell(["import", "k6", "half.log"]);
  strictEqual(half.code, 2);
  match(half.stderr, /is missing \(1\/2:1 of the load\).* with --partial\. The runners reported: /);
  const partial = await sandbox.tell(["import", "k6", "half.log", "--partial"]);
  deepStrictEqual([partial.code, partial.stderr], [3, reported]);
});

Deno.test("an SLO with a limit in the bucket of its percentile is unknown", async () => {
  await using sandbox = await Sandbox.create();
  await withHalves(sandbox);
  const files = ["a.json", "b.json"];
  const { code, stdout } = await sandbox.tell(["import", "k6", ...files, "--slo", "p50<430us"]);
  strictEqual(code, 3, stdout);
  match(
    stdout,
    /It is unknown whether the SLO is met: text p50 < 430 µs \(about 0\.432 ms, in the limit's bucket\)\./,
  );
  const slo = ["--slo", "p50<430us,p99<50ms"];
  const missed = await sandbox.tell(["import", "k6", ...files, ...slo]);
  strictEqual(missed.code, 1, missed.stdout);
  match(
    missed.stdout,
    /is not met: text p99 < 50 ms \(about \d+ ms\)\. Unknown: text p50 < 430 µs/,
  );
});

Deno.test("an export is the same each time, and what cannot be exported is refused in a line", async () => {
  await using sandbox = await Sandbox.create();
  const asked = ["export", "k6", "text", "schema", "--rate", "1000"];
  const [first, second] = [await sandbox.tell(asked), await sandbox.tell(asked)];
  deepStrictEqual([first.code, first.stderr], [0, ""]);
  strictEqual(first.stdout, second.stdout);
  const written = await sandbox.tell([...asked, "--out", "load.ts"]);
  strictEqual(written.code, 0, written.stderr);
  strictEqual(await Deno.readTextFile(`${sandbox.folder}/load.ts`), first.stdout);
  const elsewhere = ["--target", "http://10.0.0.7:8000", "--yes-i-may-load-this-host"];
  const cases: readonly (readonly [args: readonly string[], problem: RegExp])[] = [
    [["export", "k6", "text"], /Cannot export without a rate: give one/],
    [["export", "wrk", "text", "--rate", "1"], /Cannot export for "wrk"/],
    [["export", "k6", "texts", "--rate", "1"], /did you mean text/],
    [[...asked, ...elsewhere, "--out", "a", "--kubernetes", "a"], /for two files/],
    [[...asked, "-z", "0.5"], /must be a number of seconds from 1 to 600/],
    [[...asked, "--target", "http://10.0.0.7:8000"], /is not this machine/],
    [
      [...asked, "--target", "http://[::1]:8080/a"],
      /give only its host, such as http:\/\/\[::1\]:8080$/m,
    ],
    [[...asked, "--target", "10.0.0.7:8000"], /Cannot read the URL 10\.0\.0\.7:8000/],
    [[...asked, "--runner-cpu", "0.5m"], /'0\.5m' is invalid. It must be a number of processors/],
    [[...asked, "--runner-memory", "512m"], /'512m' is invalid. It must be an amount of memory/],
    [["import", "k6"], /stampede import k6 FILE/],
    [["import", "wrk", "a.json"], /stampede import k6 FILE/],
  ];
  for (const [args, problem] of cases) {
    const { code, stdout, stderr } = await sandbox.tell(args);
    deepStrictEqual([code, stdout], [2, ""], args.join(" "));
    match(stderr, problem);
  }
});

/** Exports a load for Kubernetes, and returns the outcome with both files. */
async function exported(
  sandbox: Sandbox,
  args: readonly string[],
): Promise<{ code: number; stderr: string; manifest: string; script: string }> {
  const files = ["--out", "load.ts", "--kubernetes", "load.yaml"];
  const { code, stderr } = await sandbox.tell(["export", "k6", ...args, ...files]);
  const read = (name: string): Promise<string> =>
    Deno.readTextFile(`${sandbox.folder}/${name}`).catch(() => "");
  return { code, stderr, manifest: await read("load.yaml"), script: await read("load.ts") };
}

Deno.test("a load for Kubernetes has a server that its runners can reach", async () => {
  await using sandbox = await Sandbox.create();
  const server = "http://server.shop:8000";
  const consent = "--yes-i-may-load-this-host";
  const refused = [
    ["text"],
    ["http://127.0.0.1:3000/search"],
    ["text", "--target", "http://127.9.9.9:8000"],
    ["text", "--target", "http://localhost:8000"],
    ["text", "--target", "http://[::1]:8000"],
    [`${server}/search`, consent, "--target", "http://localhost:8000"],
  ];
  for (const args of refused) {
    const { code, stderr, manifest, script } = await exported(sandbox, [...args, "--rate", "10"]);
    deepStrictEqual([code, manifest, script], [2, "", ""], args.join(" "));
    match(stderr, /from Kubernetes: .* own pod; name the server, such as --target http:/);
  }
  const accepted = [
    ["text", "--target", `${server}/`],
    [`${server}/search`],
    ["http://127.0.0.1:3000/search", "--target", server],
    ["http://10.0.0.7:3000/search", "--target", server],
  ];
  for (const args of accepted) {
    const { code, stderr, manifest, script } = await exported(
      sandbox,
      [...args, consent, "--rate", "10"],
    );
    strictEqual(code, 0, stderr);
    match(manifest, /^ {6}- name: TARGET\n {8}value: http:\/\/server\.shop:8000$/m);
    match(script, /^const TARGET = __ENV\.TARGET \|\| "http:\/\/server\.shop:8000";$/m);
  }
});

Deno.test("a load for Kubernetes has a virtual user for each runner", async () => {
  await using sandbox = await Sandbox.create();
  const load = [
    ...["text", "--rate", "10", "--target", "http://10.0.0.7:8000"],
    "--yes-i-may-load-this-host",
  ];
  const few = await exported(sandbox, [...load, "--users", "2", "--parallelism", "4"]);
  strictEqual(few.code, 2);
  match(few.stderr, /^Cannot divide 2 virtual users among 4 runners: raise --users or lower/);
  const raised = await exported(sandbox, [...load, "--parallelism", "1000"]);
  strictEqual(raised.code, 0);
  match(raised.stderr, /^1000 virtual users instead of 256, because each runner needs one$/m);
  match(raised.script, /^ +"preAllocatedVUs": 1000$/m);
  match(raised.manifest, /^ {2}parallelism: 1000$/m);
  const usual = await exported(
    sandbox,
    [...load, "--parallelism", "20", "--runner-cpu", "500m", "--runner-memory", "512Mi"],
  );
  doesNotMatch(usual.stderr, /virtual users/);
  match(usual.script, /^ +"preAllocatedVUs": 256$/m);
  match(usual.manifest, /^ {8}cpu: 500m\n {8}memory: 512Mi$/m);
});
