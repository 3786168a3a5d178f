import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { beganCold, Sandbox } from "./bench.ts";
import { history, MANIFEST, server } from "./history.ts";

/** The minimum number of rounds that can decide three comparisons. */
const FEW = [
  "--rounds",
  "7",
  "--max-rounds",
  "7",
  "-z",
  "0.5",
  "--warmup",
  "0.1",
  "-c",
  "1",
  "--no-counts",
  "--no-profile",
  "--measure",
  "none",
];

Deno.test("stampede versus finds what became slower between two revisions, twice", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await history(`${sandbox.folder}/repository`, [0, 300], "mine");
  const args = ["versus", "json", "--server", `${folder}/server.json`, ...FEW];
  const { code, stdout, stderr } = await sandbox.run(
    [...args, "--base", "start", "--fail-on", "5%", "--html", "page.html"],
  );
  strictEqual(code, 1, stdout + stderr);
  match(stdout, /^head +json +CPU\/req .* slower +[\d.]+ %$/m);
  // Other test files share the CPUs: they can leave the rate undecided, but hardly the CPU time
  match(stdout, /^head +json +Req\/Sec .* (?:slower|no detectable change) /m);
  match(stderr, /^Adding round 8 to confirm the slowdown of json$/m);
  match(stdout, /^Proven to be more than 5\.0 % slower: json of head\.$/m);
  match(stdout, /base: Mine at start \([0-9a-f]{12}\); head: current Mine; paired/);
  ok((await Deno.readTextFile(`${sandbox.folder}/page.html`)).includes("current Mine"));
  deepStrictEqual(await sandbox.leftovers(), []);
  match(await Deno.readTextFile(`${sandbox.folder}/page.html`), /Changes from base to head/);
  strictEqual((await Array.fromAsync(Deno.readDir(folder))).length, 2, "the checkout is as it was");
});

Deno.test("stampede versus compares two manifests, and says what it cannot compare", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await history(`${sandbox.folder}/mine`, [0, 300]); // the repository's root folder
  const own = ["--server", folder];
  const cases: readonly (readonly [args: string[], message: RegExp])[] = [
    [["text", ...own], /^Cannot compare: give a git revision or a manifest, such as --base main/],
    [
      ["text", ...own, "--base", "nonsense"],
      /^Cannot find the revision nonsense in .*no such commit/,
    ],
    [["text", "--servers", "deno,bun", "--base", "HEAD"], /^Cannot compare several servers/],
    [["text", "http://127.0.0.1:1/", "--base", "HEAD"], /^Cannot /],
    [["text", ...own, "--base", "HEAD", "--strict"], /^--strict needs --fail-on/],
    [["text", ...own, "--base", "HEAD", "--noise", "x.json"], /^Cannot use the report .*x.json/],
    [
      ["sql1", ...own, "--base", "HEAD"],
      /^The manifest of mine names none of the requested scenarios/,
    ],
    [
      ["sql1", ...own, "--base", "HEAD", "--head", "HEAD"],
      /^There is no scenario that both servers implement$/m,
    ],
    [["text", "--base", "HEAD", ...own, "--html", "x", "--markdown", "x"], /^Cannot use x for two/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await sandbox.tell(["versus", ...args]);
    strictEqual(code, 2, args.join(" "));
    match(stderr, message);
  }
  const less = `${sandbox.folder}/less`;
  await Deno.mkdir(less);
  await Deno.writeTextFile(`${less}/main.ts`, server(0));
  const manifest = { ...MANIFEST, id: "less", scenarios: { text: {} } };
  await Deno.writeTextFile(`${less}/server.json`, JSON.stringify(manifest));
  const { code, stdout, stderr } = await sandbox.run([
    "versus",
    "text",
    "json",
    ...own,
    "--base",
    less,
    "--head",
    "start",
    "--rounds",
    "1",
    "--max-rounds",
    "1",
    "-z",
    "0.5",
    "--no-counts",
    "--measure",
    "none",
  ]);
  match(stderr, /^Left out json: only Mine at start \([0-9a-f]{12}\) implements it$/m);
  ok(!/^head +json/m.test(stdout), stdout);
  const isCold = beganCold(stdout);
  strictEqual(code, isCold ? 3 : 0, stdout + stderr);
  if (!isCold) {
    match(stdout, /^head +text .* no detectable change +none$/m);
    match(
      stdout,
      /Too few rounds to prove a change in 3 comparisons: use --rounds 7/,
    );
  }
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede versus measures nothing unless both are there", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await history(`${sandbox.folder}/mine`, [0, 300]);
  const other = `${sandbox.folder}/other`;
  await Deno.mkdir(other);
  const requires = [{ command: ["no-such-tool"], minimum: "1", install: "nowhere" }];
  const manifest = { ...MANIFEST, id: "other", requires };
  await Deno.writeTextFile(`${other}/server.json`, JSON.stringify(manifest));
  const { code, stderr } = await sandbox.run(
    ["versus", "text", "--server", folder, "--base", other],
  );
  strictEqual(code, 1, stderr);
  match(stderr, /There is no server to measure\nbase: skipped: no-such-tool not found/);
  deepStrictEqual(await sandbox.reports(), []);
});
