import { match, strictEqual } from "node:assert/strict";
import { Sandbox } from "./bench.ts";
import { git, history } from "./history.ts";

Deno.test("stampede bisect refuses in one line what it cannot do, and measures nothing", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await history(`${sandbox.folder}/repository`, [0, 1, 2], "mine");
  await git(folder, "branch", "other", "start");
  await git(folder, "switch", "--quiet", "other");
  await git(folder, "commit", "--quiet", "--allow-empty", "-m", "Elsewhere");
  await git(folder, "switch", "--quiet", "-");
  const outside = `${sandbox.folder}/outside/mine`;
  await Deno.mkdir(outside, { recursive: true });
  for (const name of ["server.json", "main.ts"]) {
    await Deno.copyFile(`${folder}/${name}`, `${outside}/${name}`);
  }
  const own = ["json", "--server", folder];
  const range = ["--good", "start", "--bad", "HEAD"];
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[...own], /^Cannot bisect: give a fast and a slow git revision/],
    [[...own, "--bad", "HEAD"], /^Cannot bisect: give a fast and a slow git revision/],
    [
      [...own, "--good", "nowhere", "--bad", "HEAD"],
      /^Cannot find the revision nowhere in .*no such commit/,
    ],
    [
      [...own, "--good", "start", "--bad", "HEAD~2"],
      /^Cannot bisect: start and HEAD~2 are the same commit$/m,
    ],
    [
      [...own, "--good", "HEAD", "--bad", "start"],
      /^Cannot bisect: HEAD is not an ancestor of start: it comes after it; exchange the two$/m,
    ],
    [
      [...own, "--good", "other", "--bad", "HEAD"],
      /^Cannot bisect: other is not an ancestor of HEAD: .* --good \$\(git merge-base other HEAD\)$/m,
    ],
    [
      ["json", "--server", outside, ...range],
      /^Cannot find the revision start: .* is not in a git repository/,
    ],
    [
      ["http://127.0.0.1:1/", ...range],
      /^Cannot bisect several servers or a URL: name one server/,
    ],
    [["json", "--servers", "deno,bun", ...range], /^Cannot bisect several servers or a URL/],
    [[...own, ...range, "--rounds", "5"], /^Cannot decide in 5 rounds: use --rounds 9 or more/],
    [["nonsense", "--server", folder, ...range], /^There is no scenario or command "nonsense"/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await sandbox.tell(["bisect", ...args]);
    strictEqual(code, 2, args.join(" ") + stdout + stderr);
    match(stderr, message);
    strictEqual(stderr.trim().split("\n").length, 1, stderr);
  }
  strictEqual((await sandbox.reports()).length, 0);
});

Deno.test("stampede bisect --dry-run says how many commits and steps there are, and the plan of a step", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await history(`${sandbox.folder}/repository`, [0, 1, 2, 3, 4], "mine");
  const args = ["bisect", "json", "--server", folder, "--good", "start", "--bad", "HEAD"];
  const { code, stdout, stderr } = await sandbox.run([...args, "--dry-run"]);
  strictEqual(code, 0, stderr);
  match(
    stdout,
    /^4 candidates, 2 steps unless some are skipped or undecided: about .*, .* at most/m,
  );
  match(stdout, /^versus: base, head with stampede, at json$/m);
  strictEqual((await sandbox.leftovers()).length, 0);
});
