/** Checks the messages of commands that start neither a server nor a load generator. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../scenarios/mod.ts";
import { TOOLS } from "../src/load/generator_list.ts";
import { type FakeOptions, FakeTestbed, measurementOf } from "../src/engine/testbed_testdata.ts";
import { Interrupted } from "../src/model/errors.ts";
import type { Measurement } from "../src/model/raw.ts";
import type { Report } from "../src/model/report.ts";
import { markUnderWay } from "../src/results/store.ts";
import { Sandbox, until } from "./bench.ts";
import { processIo } from "../src/cli/io.ts";
import { COMMAND_NAMES } from "../src/cli/options/option_spec.ts";
import { execute as parse } from "../src/cli/program.ts";
import { wordsOf } from "./docs.ts";
import { execute } from "./in_process.ts";

const CANNED = new URL("./servers/canned/server.json", import.meta.url).pathname;

Deno.test("stampede --help, --version and list say what there is", async () => {
  await using sandbox = await Sandbox.create();
  const help = await sandbox.tell(["--help"]);
  strictEqual(help.code, 0);
  for (const text of ["clean-database", "stampede run --help", "  130  Ctrl-C"]) {
    ok(help.stdout.includes(text), text);
  }
  const lines = help.stdout.split("\n");
  ok(lines.length < 80 && lines.every(({ length }) => length <= 80), help.stdout);
  const examples = lines.slice(lines.indexOf("Examples:") + 1).slice(0, 6);
  deepStrictEqual(examples.map((line) => line.startsWith("  stampede ")), [
    ...Array(5).fill(true),
    false,
  ]);
  ok(lines.indexOf("Examples:") < lines.indexOf("Measure:"), "examples come first");
  const first = lines.slice(lines.indexOf("Most used options:") + 1);
  strictEqual(first.indexOf(""), 10, "ten options that people use first");
  const { stdout: runHelp } = await sandbox.tell(["run", "--help"]);
  const headings = runHelp.match(/^[A-Z][\w ]+:$/gm) ?? [];
  deepStrictEqual(headings.slice(2), [
    "Most used:",
    "What to measure:",
    "Load:",
    "Output:",
    "Database:",
    "Machine:",
    "Options:",
  ]);
  match((await sandbox.tell(["run", "--help"])).stdout, /--connections <n,...>/);
  match((await sandbox.tell(["help", "versus"])).stdout, /--base <revision>/);
  match((await sandbox.tell(["noise", "--help"])).stdout, /--width <percent>/);
  match((await sandbox.tell(["verify", "--help"])).stdout, /--allow-remote-database/);
  match((await sandbox.tell(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
  const list = (await sandbox.tell(["list"])).stdout;
  for (const { id, title } of SCENARIOS) ok(list.includes(id) && list.includes(title), id);
  match(list, /autocannon +9\./);
});

Deno.test("stampede answers wrong usage in a line or two, with exit code 2", async () => {
  await using sandbox = await Sandbox.create();
  const cases: [string[], RegExp, Record<string, string>?][] = [
    [["nonsense"], /no scenario or command "nonsense": choose from text, json/],
    [["run", "text", "nonsense"], /no scenario or command "nonsense"/],
    [["-c", "0"], /--connections.*whole number from 1 to 10000/],
    [["-z", "0.1"], /--duration.*number of seconds from 0.5 to 600/],
    [["-z", "0x10"], /--duration.*number of seconds from 0.5 to 600/],
    [["--budget", "1e3"], /--budget.*number of seconds from 0 to 86400/],
    [["--width", "Infinity"], /--width.*percentage from 0.1 to 50/],
    [["--servers", "all,nope"], /no server "nope": choose from actix, actix-nodelay, beast, bun,/],
    [["--rounds", "many"], /--rounds.*whole number from 1 to 100/],
    // Options of other tools
    [
      ["http://127.0.0.1:9/", "-d", "10s"],
      /^Cannot tell whether -d 10s is a duration or a request body: use -z 10s, /,
    ],
    [["http://127.0.0.1:9/", "-d30"], /a request body: use -z 30, /],
    [
      ["http://127.0.0.1:9/", "-n", "1000"],
      /no option -n: did you mean -z 10s\?.*stampede run --help/,
    ],
    [["http://127.0.0.1:9/", "-t4"], /no option -t: did you mean --shards 2\?/],
    [["http://127.0.0.1:9/", "-q", "5"], /no option -q: did you mean --rate 500\?/],
    [["http://127.0.0.1:9/", "-m", "PUT"], /no option -m: did you mean -X POST\?/],
    [
      ["http://127.0.0.1:9/", "--latency"],
      /no option --latency, and none is needed: latencies are/,
    ],
    [["-z", "11m"], /--duration.*from 0.5 to 600, or a time such as 10s or 1m/],
    [["127.0.0.1:3000"], /"127.0.0.1:3000": did you mean http:\/\/127.0.0.1:3000\?$/m],
    [[":3000/x"], /did you mean http:\/\/127.0.0.1:3000\/x\?$/m],
    [["localhost:3000/?key=abc"], /did you mean http:\/\/localhost:3000\/\?key=\*\*\*$/m],
    [["./mine.ts"], /did you mean --scenario .\/mine.ts\?/],
    [["--preset", "deno-http", "--quick"], /leave out --quick$/m],
    [["--preset", "deno-http", "--max-rounds", "3"], /leave out --max-rounds$/m],
    [["--preset", "deno-http", "-z", "8"], /leave out --duration$/m],
    [["--preset", "deno-http", "--warmup", "0"], /leave out --warmup$/m],
    [["--preset", "deno-http", "--no-slices"], /leave out --no-slices$/m],
    [["init", "/nosuch"], /^There is no folder "\/nosuch": name the folder of your project$/m],
    [
      ["report", "--html", "x.html"],
      /report has no --html: did you mean --format html --out FILE\?/,
    ],
    [
      ["versus", "--quick"],
      /^versus has no --quick: it is an option of run, generators. All options: stampede versus --help$/m,
    ],
    [["--connectoins", "5"], /unknown option '--connectoins'.*\n.*--connections/],
    [
      ["--servers", "nonsense"],
      /no server "nonsense": choose from actix, actix-nodelay, beast, bun,/,
    ],
    [["--server", "nonsense.json"], /Cannot read the manifest .*nonsense\.json/],
    [["comapre", "a.json", "b.json"], /^There is no command "comapre": did you mean compare\?/],
    [
      ["jsno"],
      /^There is no scenario or command "jsno": did you mean json\? There are text, json, /,
    ],
    [["text", "--explain", "json"], /no scenario to explain in this report "json"/],
    [["--shards", "0"], /--shards.*whole number from 1 to 64/],
    [["--width", "0"], /--width.*percentage from 0.1 to 50/],
    [["--generator", "wrk9"], /--generator/],
    [["serve"], /PORT/, { PORT: "http" }],
    [["text"], /DB_POOL/, { DB_POOL: "-1" }],
    [["sql1"], /DATABASE_URL/, { DATABASE_URL: "mysql://127.0.0.1/x" }],
    [["sql1"], /PGPORT/, { PGPORT: "many" }],
    [["sql1"], /db\.invalid.*--allow-remote-database/, { DATABASE_URL: "postgres://db.invalid/x" }],
    [["clean-database"], /no database to clean: set DATABASE_URL/],
    [
      ["noise", "text", "--servers", "deno", "--server", CANNED],
      /^Cannot measure the noise of several servers at once: name one$/m,
    ],
    [
      ["text", "--quick", "--out", "/dev/null"],
      /^Cannot write the report to "\/dev\/null": that is not a file\n$/,
    ],
  ];
  for (const [args, message, env] of cases) {
    const { code, stdout, stderr } = await sandbox.tell(args, env);
    match(stderr, message);
    deepStrictEqual([code, stdout], [2, ""], args.join(" "));
    ok(stderr.trim().split("\n").length <= 2 && !stderr.includes("    at "), stderr);
  }
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede --dry-run prints the plan of its seed and starts nothing", async () => {
  await using sandbox = await Sandbox.create();
  const plan = async (seed: string): Promise<string> =>
    (await sandbox.tell([
      "--dry-run",
      "--rounds",
      "2",
      "-z",
      "2s",
      "--width",
      "5%",
      "--seed",
      seed,
    ]))
      .stdout;
  const first = await plan("1");
  strictEqual(first.match(/round [12]/g)?.length, 2 * (8 + 7), "windows, and blocks of slices");
  match(first, /delay +100 connections, 0.5 s warm-up, 1000 responses \(about 2 s\)/);
  strictEqual(first, await plan("1"));
  ok(first !== await plan("2"));
  deepStrictEqual(await sandbox.reports(), []);
});

Deno.test("stampede --dry-run names what a server is not measured at", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", "sql1", "--servers", "deno,deno-bare", "--dry-run"];
  match((await sandbox.tell(args)).stdout, /^not in the manifest of deno-bare: sql1$/m);
  const { lacking } = JSON.parse((await sandbox.tell([...args, "--json"])).stdout);
  deepStrictEqual(lacking, [{ id: "deno-bare", scenarios: ["sql1"] }]);
});

Deno.test("a scenario of a manifest that is nearly one of Stampede's is pointed out", async () => {
  await using sandbox = await Sandbox.create();
  const manifest = JSON.parse(await Deno.readTextFile(CANNED));
  const folder = `${sandbox.folder}/canned`;
  await Deno.mkdir(folder);
  manifest.scenarios = { text: {}, jsno: {} };
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(manifest));
  const { code, stderr } = await sandbox.tell(["--server", folder, "--dry-run"]);
  strictEqual(code, 2);
  match(
    stderr,
    /^The manifest of canned names the scenario "jsno": did you mean json\? Your own scenarios need/,
  );
});

Deno.test("stampede --dry-run refuses what the run itself would", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.mkdir(`${sandbox.folder}/folder`);
  const cases: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [["text", "--out", "folder"], 2, /Cannot write the report to ".*folder"/],
    [["text", "--html", "folder"], 2, /Cannot write the report to ".*folder"/],
    [["capacity", "text", "--html", "folder"], 2, /Cannot write the report to ".*folder"/],
    [
      ["http://127.0.0.1:9/", "-X", "HEAD", "--generator", "wrk"],
      2,
      /wrk (cannot send HEAD|is not)/,
    ],
    [["text", "--generator", "hey", "--shards", "2"], 2, /hey (has no setting for|is not)/],
    [["sql1", "--servers", "deno-bare"], 2, /^No server implements any of the scenarios$/m],
    [["json", "--server", "mine/server.json"], 2, /names the scenario "jsno": did you mean json\?/],
    [
      ["sql1", "--server", "other/server.json", "--servers", "deno"],
      2,
      /The manifest of other names none of the requested scenarios \(sql1\): its "scenarios" are text, mine \(mine is not one of Stampede's: name its file with --scenario\)$/m,
    ],
  ];
  const manifest = { name: "Mine", language: "Perl", start: ["perl"] };
  for (
    const [id, scenarios] of [["mine", { text: {}, jsno: {} }], ["other", { text: {}, mine: {} }]]
  ) {
    await Deno.mkdir(`${sandbox.folder}/${id}`);
    await Deno.writeTextFile(
      `${sandbox.folder}/${id}/server.json`,
      JSON.stringify({ ...manifest, id, scenarios }),
    );
  }
  for (const [args, code, message] of cases) {
    const outcome = await sandbox.tell([...args, "--dry-run"]);
    deepStrictEqual([outcome.code, outcome.stdout], [code, ""], args.join(" "));
    match(outcome.stderr, message);
  }
  await Deno.writeTextFile(`${sandbox.folder}/results`, "a file, where reports go by default");
  const { code, stderr } = await sandbox.tell(["text", "--dry-run"]);
  strictEqual(code, 1);
  match(stderr, /Cannot write the report to .*results/);
});

Deno.test("stampede knows before it measures that a report cannot be written", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stderr } = await sandbox.tell(["text", "--quick", "--out", "/dev/null/x.json"]);
  strictEqual(code, 1);
  match(stderr, /Cannot write the report to \/dev\/null\/x\.json/);
  ok(!stderr.includes("req/s"));
});

Deno.test("completions are scripts that shells take", async () => {
  await using sandbox = await Sandbox.create();
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stdout } = await sandbox.tell(["completions", shell]);
    strictEqual(code, 0);
    for (const word of ["verify", "connections", "deno-workers", "sql2"]) ok(stdout.includes(word));
  }
  await Deno.writeTextFile(
    `${sandbox.folder}/complete.bash`,
    `${(await sandbox.tell(["completions", "bash"])).stdout}
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stampede; echo "\${COMPREPLY[*]}"; }
complete_words stampede veri
complete_words stampede --servers deno-b
complete_words stampede verify --work
`,
  );
  const { stdout } = await new Deno.Command("bash", { args: [`${sandbox.folder}/complete.bash`] })
    .output();
  strictEqual(new TextDecoder().decode(stdout), "verify\ndeno-bare deno-bare-json\n--workers\n");
  const { code, stderr } = await sandbox.tell(["completions", "tcsh"]);
  deepStrictEqual([code, stderr], [
    2,
    'Cannot complete in "tcsh": choose from bash, zsh, fish\n',
  ]);
});

Deno.test("stampede --preset says what it does not know", async () => {
  await using sandbox = await Sandbox.create();
  const none = await sandbox.tell(["--preset", "nonsense"]);
  strictEqual(none.code, 2);
  match(none.stderr, /no preset "nonsense"/);
  const beside = await sandbox.tell(["text", "--preset", "concurrency"]);
  deepStrictEqual([beside.code, beside.stderr], [
    2,
    "A preset selects its scenarios itself: leave out the scenarios\n",
  ]);
  const out = await sandbox.tell(["--preset", "concurrency", "--out", "x.json"]);
  deepStrictEqual([out.code, out.stderr], [
    2,
    "A preset sets its options itself: leave out --out\n",
  ]);
});

Deno.test("a missing load generator: one line that says how to get it", async () => {
  await using sandbox = await Sandbox.create();
  const world = {
    folder: sandbox.folder,
    testbed: () => new FakeTestbed({ present: ["autocannon"] }),
  };
  for (const { id } of TOOLS) {
    const { code, stdout, stderr } = await execute(["text", "--generator", id], world);
    deepStrictEqual([code, stdout, stderr], [
      2,
      "",
      `The load generator ${id} is not installed: get it\n`,
    ]);
  }
});

Deno.test("stampede prints, writes and keeps what its testbed measured", async () => {
  await using sandbox = await Sandbox.create();
  const world = { folder: sandbox.folder, testbed: () => new FakeTestbed() };
  const args = ["text", "json", "--rounds", "6", "--csv", "figures.csv"];
  const { code, stdout, stderr } = await execute(args, world);
  strictEqual(code, 0, stderr);
  match(stdout, /^text +1,000 +0\.0 % /m);
  match(stdout, /^The report is in results\/2026-01-01T00-00-00-0a1b2c3d\.json$/m);
  match(stdout, /^The report as csv is in .*figures\.csv$/m);
  match(stderr, /^\[\d+\/26\] round 6: (text|json): 1,000 req\/s$/m);
  const [report] = await sandbox.reports();
  deepStrictEqual([report?.complete, report?.trialResults.length], [true, 14]);
  strictEqual((await execute(["history"], world)).code, 0);
});

Deno.test("stampede noise prints ratios with their intervals and floors", async () => {
  await using sandbox = await Sandbox.create();
  let windows = 0;
  const measure = (): Measurement => measurementOf(1000 + 10 * (windows++ % 3));
  const world = { folder: sandbox.folder, testbed: () => new FakeTestbed({ measure }) };
  const { code, stdout, stderr } = await execute(["noise", "text", "--rounds", "6"], world);
  strictEqual(code, 0, stderr);
  for (const method of ["slices", "windows"]) {
    match(
      stdout,
      new RegExp(`^text +${method} +[\\d.]+ +[\\d.]+ to [\\d.]+ +[\\d.]+ % .* 6$`, "m"),
    );
  }
});

Deno.test("a run that is stopped says where the rest is, and a preset does not go on", async () => {
  await using sandbox = await Sandbox.create();
  const stop = new AbortController();
  const measure = (): Measurement => {
    stop.abort(new Interrupted("Interrupted by SIGINT"));
    return measurementOf(1000);
  };
  let windows = 0;
  // After a pilot window and the first window
  const third: FakeOptions["measure"] = () => ++windows <= 2 ? measurementOf(1000) : measure();
  const world = {
    folder: sandbox.folder,
    stop: stop.signal,
    testbed: () => new FakeTestbed({ measure: third }),
  };
  const { code, stdout, stderr } = await execute(["text"], world);
  strictEqual(code, 130);
  match(stdout, /^text +1,000 /m);
  const [_all, path = ""] = stderr.match(
    /^Interrupted by SIGINT\nThe partial report is in (\S+)\nMeasure the rest with the same command and --resume \1$/m,
  ) ?? [];
  match(path, /^results\//);
  const { signal } = new AbortController();
  const next = { ...world, stop: signal, testbed: () => new FakeTestbed() };
  const rest = await execute(["text", "--resume", path], next);
  strictEqual(rest.code, 0, rest.stderr);
  match(rest.stdout, /^6 rounds /m);
  const plan = await execute(["text", "--resume", path, "--rounds", "8", "--dry-run"], next);
  deepStrictEqual(plan.stdout.match(/^ .*?round \d/gm)?.map((line) => line.slice(-1)), [
    ...["7", "8"],
    ...["7", "8"],
  ]);
  const others: readonly (readonly [string[], RegExp])[] = [
    [["--measure", "memory"], /^Cannot resume results\/\S+: the costs of --measure /],
    [["-z", "9"], /^Cannot resume a run that differs from this one\nload: durationS: 1.5, now 9$/m],
    [["--generator", "auto"], /^Cannot resume results\/\S+: another generator may be the /],
    [["-z", "9", "--dry-run"], /^load: durationS: 1.5, now 9$/m],
    [["--rate", "100"], /^Cannot resume results\/\S+: response times at a --rate are measured /],
    [["--rounds", "6", "--dry-run"], /it already has 6 rounds; ask for more with --rounds$/m],
    [["--preset", "concurrency"], /^A preset sets its options itself: leave out --resume$/m],
  ];
  for (const [args, message] of others) {
    const scenario = args.includes("--preset") ? [] : ["text"];
    const other = await execute([...scenario, ...args, "--resume", path], next);
    strictEqual(other.code, 2, other.stderr);
    match(other.stderr, message);
    ok(!/^ +at /m.test(other.stderr), other.stderr);
  }
  {
    await using _mark = await markUnderWay(`${sandbox.folder}/${path}`);
    const busy = await execute(["text", "--resume", path, "--rounds", "9"], next);
    deepStrictEqual([busy.code, busy.stderr], [
      2,
      `Cannot resume ${path}: its run is under way\n`,
    ]);
  }
  const more = await execute(["text", "--resume", path], next);
  strictEqual(more.code, 2);
  match(
    more.stderr,
    /^Cannot resume the run: it already has 6 rounds; ask for more with --rounds$/m,
  );

  const preset = await execute(["--preset", "concurrency"], world);
  strictEqual(preset.code, 130, "the signal has come: no table is begun");
  strictEqual(preset.stderr, "Interrupted by SIGINT\n");
});

Deno.test("what may be a secret is neither stored nor printed", async () => {
  await using sandbox = await Sandbox.create();
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("fine"),
  );
  const url = `http://127.0.0.1:${server.addr.port}/orders?key=s3cret`;
  const args = [
    url,
    "-X",
    "PUT",
    "-H",
    "authorization: s3cret",
    "-d",
    "s3cret",
    "--json",
    "--rounds",
    "1",
  ];
  const { code, stdout, stderr } = await execute(args, {
    folder: sandbox.folder,
    testbed: (options) => {
      const testbed = new FakeTestbed();
      return Object.assign(testbed, { origin: options.origin });
    },
  });
  strictEqual(code, 0, stderr);
  const report = JSON.parse(stdout) as Report;
  strictEqual(report.scenarios[0]?.path, "/orders?key=***");
  ok(report.command.includes("authorization: ***"));
  const names = await Array.fromAsync(
    Deno.readDir(`${sandbox.folder}/results`),
    ({ name }) => `results/${name}`,
  );
  const stored = names.map((name) => Deno.readTextFile(`${sandbox.folder}/${name}`));
  const file = names.find((name) => name.endsWith(".json")) ?? "";
  const shown = await Promise.all(
    [
      ...["table", "markdown", "html", "csv"].map((format) => ["--format", format]),
      ["--wide"],
      ["--explain", "all"],
    ].map(async (options) => {
      const told = await sandbox.tell(["report", file, ...options]);
      ok(told.code === 0 && told.stdout.length > 50, told.stderr);
      return told.stdout;
    }),
  );
  for (const text of [stdout, stderr, ...shown, ...await Promise.all(stored)]) {
    ok(!text.includes("s3cret"), text.slice(Math.max(0, text.indexOf("s3cret") - 200)));
  }
});

Deno.test({
  name: "what may be a secret is in the command line of no program that bench starts",
  ignore: Deno.build.os !== "linux", // other users can read command lines there
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response("fine"),
    );
    const url = `http://127.0.0.1:${server.addr.port}/orders?key=s3cret`;
    const short = ["--rounds", "1", "-z", "0.5", "--warmup", "0.2"];
    const secrets = ["-X", "PUT", "-H", "authorization: s3cret", "-d", "s3cret"];
    const runs = ["autocannon", "stampede"].map((generator) =>
      sandbox.run([url, ...secrets, "--generator", generator, ...short])
    );
    const seen = new Set<string>();
    let isOver = false;
    const outcomes = Promise.all(runs).finally(() => isOver = true);
    await until(() => {
      for (const { args } of sandbox.processes()) {
        // The typed command line is visible, and for a moment that of bench's forked processes
        if (!args.includes("bench.ts")) seen.add(args);
      }
      return isOver;
    }, "both runs have ended");
    for (const { code, stderr } of await outcomes) strictEqual(code, 0, stderr);
    for (const program of ["autocannon_process", "window_process"]) {
      ok([...seen].some((args) => args.includes(program)), [...seen].join("\n"));
    }
    for (const args of seen) ok(!args.includes("s3cret"), args);
  },
});

Deno.test("no message repeats what may be a secret", async () => {
  await using sandbox = await Sandbox.create();
  const url = "http://127.0.0.1:1/";
  const calls = [
    ["http://127.0.0.1:99999/?token=s3cret"],
    ["https://me:s3cret@127.0.0.1/"],
    ["http://me:s3cret@127.0.0.1/"],
    ["ftp://127.0.0.1/?token=s3cret"],
    ["127.0.0.1:3000/x?token=s3cret"],
    ["me:s3cret@127.0.0.1/x"],
    [url, "-H", "Authorization Bearer s3cret"],
    [url, "-H", "Authorization: s3cret\u0000"],
    [url, "-X", "GET", "-d", "s3cret"],
    ["verify", "http://127.0.0.1:3000/?token=s3cret"],
    ["versus", "text", "--base", "http://me:s3cret@127.0.0.1/"],
  ];
  for (const args of calls) {
    const testbed = (): FakeTestbed => new FakeTestbed();
    const { code, stdout, stderr } = await execute(args, { folder: sandbox.folder, testbed });
    strictEqual(code, 2, `${args.join(" ")}: ${stderr}`);
    ok(stderr !== "" && !(stdout + stderr).includes("s3cret"), stdout + stderr);
  }
});

Deno.test("what a server said last tells no password", async () => {
  await using sandbox = await Sandbox.create();
  const words = "input: 'postgres://me:s3cret@127.0.0.1/db?sslkey=s3cret'";
  const manifest = {
    id: "talkative",
    name: "Talkative",
    language: "TypeScript",
    scenarios: { text: {} },
    start: ["deno", "eval", `console.error(${JSON.stringify(words)}); Deno.exit(3)`],
  };
  const folder = `${sandbox.folder}/talkative`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(manifest));
  const args = ["text", "--server", folder, "--rounds", "1", "--json"];
  const { code, stdout, stderr } = await sandbox.run(args);
  strictEqual(code, 1, stderr);
  match(stdout, /postgres:\/\/me:\*\*\*@127\.0\.0\.1\/db\?sslkey=\*\*\*/);
  for (const text of [stdout, stderr, JSON.stringify(await sandbox.reports())]) {
    ok(!text.includes("s3cret"), text.slice(Math.max(0, text.indexOf("s3cret") - 200)));
  }
});

Deno.test("a time may have minutes, and a body that looks like one a method", async () => {
  await using sandbox = await Sandbox.create();
  const windowOf = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await sandbox.tell(["http://127.0.0.1:9/", ...args, "--dry-run", "--json"]);
    return JSON.parse(stdout).experiment.load.durationS;
  };
  deepStrictEqual(
    [await windowOf("-z", "1m"), await windowOf("-z", "1m30s"), await windowOf("-z", "500ms")],
    [60, 90, 0.5],
  );
  strictEqual(await windowOf("-d", "10", "-X", "POST"), 1.5);
});

Deno.test("--server takes the folder of a project that stampede init looked at", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.mkdir(`${sandbox.folder}/shop/stampede/canned`, { recursive: true });
  const planned = ["text", "--server", "shop", "--dry-run", "--json"];
  const none = await sandbox.tell(planned);
  match(
    none.stderr,
    /no manifest in .*shop, neither server.json nor .* init .*shop writes one/,
  );
  strictEqual(none.code, 2);
  await Deno.copyFile(CANNED, `${sandbox.folder}/shop/stampede/canned/server.json`);
  const [variant] = JSON.parse((await sandbox.tell(planned)).stdout).experiment.variants;
  strictEqual(variant.id, "canned");
  await Deno.mkdir(`${sandbox.folder}/shop/stampede/other`);
  await Deno.copyFile(CANNED, `${sandbox.folder}/shop/stampede/other/server.json`);
  match((await sandbox.tell(planned)).stderr, /several manifests in .*: choose from .*other/);
});

Deno.test("every example of help is a command that there is", async () => {
  await using sandbox = await Sandbox.create();
  for (const name of ["", ...COMMAND_NAMES]) {
    const { stdout } = await sandbox.tell([...(name === "" ? [] : [name]), "--help"]);
    const examples = stdout.split("\n").filter((line) => /^ {2}stampede( |$)/.test(line))
      .map((line) => line.trim().split(/ {3,}/)[0] ?? "");
    if (["", "run", "versus", "bisect", "capacity", "compare"].includes(name)) {
      ok(examples.length >= 2, name);
    }
    for (const example of examples) {
      const args = wordsOf(example).slice(1);
      const acted: string[] = [];
      await parse(args, processIo(args), (name) => Promise.resolve(acted.push(name)));
      deepStrictEqual(acted, [name === "" ? acted[0] : name], example);
    }
  }
});

Deno.test("a run in which no server started leaves no report, and says once why while it runs and once after", async () => {
  await using sandbox = await Sandbox.create();
  const folder = `${sandbox.folder}/bad`;
  await Deno.mkdir(folder);
  const manifest = { id: "bad", name: "Bad", language: "C", start: ["false"] };
  await Deno.writeTextFile(
    `${folder}/server.json`,
    JSON.stringify({ ...manifest, scenarios: { text: {}, json: {} } }),
  );
  const args = ["text", "json", "--server", "bad"];
  const { code, stdout, stderr } = await sandbox.tell(args);
  strictEqual(code, 1);
  const timesIn = (text: string): number => text.split("ended with exit code 1").length - 1;
  deepStrictEqual([timesIn(stderr), timesIn(stdout)], [1, 1], stderr + stdout);
  match(stdout, /^Nothing was measured, so there is no report$/m);
  deepStrictEqual(await sandbox.reports(), []);
  // If the user names a file, it is written
  strictEqual((await sandbox.tell([...args, "--out", "x.json"])).code, 1);
  ok((await Deno.stat(`${sandbox.folder}/x.json`)).isFile);
});
