import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { LONG_TIMEOUTS, Sandbox, until } from "./bench.ts";

/** Returns a server that burns some microseconds for each response. `broken` keeps it from starting. */
const server = (version: number, burnUs: number, broken = ""): string =>
  `// version ${version}
${broken}
const burn = (us) => {
  const end = performance.now() + us / 1000;
  while (performance.now() < end);
};
Deno.serve({ hostname: Deno.env.get("HOST"), port: Number(Deno.env.get("PORT")) }, () => {
  burn(${burnUs});
  return new Response("Hello world");
});
`;
const MANIFEST = {
  id: "mine",
  name: "Mine",
  language: "TypeScript",
  scenarios: { text: {} },
  start: ["deno", "run", "--no-prompt", "-A", "main.ts"],
};
const SHORT = ["-z", "0.5", "--warmup", "0.1", "-c", "1"];

async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: [...who, "-C", folder, ...args],
    stdin: "null",
  }).output();
  ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

/** Makes a repository with six commits. The second one does not start, and the fourth one is slow. */
async function repository(sandbox: Sandbox): Promise<string> {
  const folder = `${sandbox.folder}/repository/mine`;
  await Deno.mkdir(folder, { recursive: true });
  await git(folder, "init", "--quiet", "..");
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(MANIFEST));
  for (let i = 0; i < 6; i++) {
    const broken = i === 2 ? "throw new Error('broken');" : "";
    await Deno.writeTextFile(`${folder}/main.ts`, server(i, i < 4 ? 0 : 100, broken));
    await git(folder, "add", ".");
    await git(folder, "commit", "--quiet", "--message", `Change ${i}`);
  }
  return folder;
}

Deno.test("stampede bisect finds the slow commit, and continues after Ctrl-C", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await repository(sandbox);
  const state = async (): Promise<string[]> => [
    await git(folder, "rev-parse", "HEAD"),
    await git(folder, "reflog"),
    await git(folder, "status", "--porcelain"),
    String((await Deno.stat(`${folder}/../.git/index`)).mtime),
  ];
  const before = await state();
  const args = [
    "bisect",
    "text",
    "--server",
    folder,
    "--good",
    "HEAD~5",
    "--bad",
    "HEAD",
    ...SHORT,
  ];
  const running = sandbox.start(args, { env: LONG_TIMEOUTS });
  await until(
    () => Promise.resolve(/^[0-9a-f]{12} is (fast|slow|skipped)/m.test(running.written())),
    "one step is done",
  );
  Deno.kill(running.process.pid, "SIGINT");
  strictEqual((await running.outcome).code, 130);
  deepStrictEqual(await sandbox.leftovers(), []);

  const { code, stdout, stderr } = await sandbox.run(args, LONG_TIMEOUTS);
  strictEqual(code, 0, stdout + stderr);
  match(stderr, /^Continuing after 1 step; --restart begins again$/m);
  match(stdout, /^[0-9a-f]{12} "Change 4" by Ann, \d{4}-\d\d-\d\d$/m);
  match(stdout, /^text \+\d+\.\d % \S+ \(.*\) against [0-9a-f]{12}\.$/m);
  match(stdout, /^ +0 +[0-9a-f]{12} .* slow/m);
  match(stdout + stderr, /skipped: failed in head: .*broken/);
  deepStrictEqual(await state(), before, "the repository is as it was");
  const left = await Array.fromAsync(Deno.readDir(`${sandbox.folder}/results`));
  ok(left.every(({ name }) => !name.endsWith(".bisect")));
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede bisect says that nothing became slower", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await repository(sandbox);
  const { code, stdout, stderr } = await sandbox.run(
    ["bisect", "text", "--server", folder, "--good", "HEAD~1", "--bad", "HEAD", ...SHORT],
    LONG_TIMEOUTS,
  );
  strictEqual(code, 0, stdout + stderr);
  match(stdout, /^[0-9a-f]{12} is not proven slower than [0-9a-f]{12}\. No detectable change/);
});

Deno.test("stampede bisect refuses what it cannot search", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await repository(sandbox);
  const own = ["text", "--server", folder];
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[...own, "--good", "HEAD~1"], /give a revision or release that is fast, and a later one/],
    [[...own, "--good", "none", "--bad", "HEAD"], /Cannot find the revision none in .*repository/],
    [[...own, "--good", "HEAD", "--bad", "HEAD~1"], /HEAD must be an ancestor of HEAD~1/],
    [[...own, "--good", "HEAD", "--bad", "HEAD"], /HEAD must be an ancestor of HEAD/],
    [[...own, "--good", "deno@2.9.6", "--bad", "HEAD"], /Cannot read the release "HEAD"/],
    [
      [...own, "--good", "deno@2.9.6", "--bad", "deno@2.9.5"],
      /give an older and a newer release of one runtime/,
    ],
    [
      ["http://127.0.0.1:1/", "--good", "a", "--bad", "b"],
      /Cannot bisect several servers or a URL/,
    ],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await sandbox.run(["bisect", ...args]);
    strictEqual(code, 2, stderr);
    match(stderr, message);
  }
  const { code, stdout } = await sandbox.run(
    ["bisect", ...own, "--good", "HEAD~5", "--bad", "HEAD", "--dry-run"],
  );
  strictEqual(code, 0);
  match(stdout, /^5 candidates after [0-9a-f]{12}: at most 3 measurements between/m);
});
