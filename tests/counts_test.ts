/** Counts system calls of real servers, and stops runs while strace is attached to one. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { Sandbox, until, untilNothingIsLeft } from "./bench.ts";
import { writeNodeServer } from "./node_server.ts";

const { success: hasStrace } = await new Deno.Command("sh", { args: ["-c", "command -v strace"] })
  .output();
const WITH_STRACE = { ignore: Deno.build.os !== "linux" || !hasStrace };

/** Returns the arguments of a run that only counts. */
const counting = (base: string, head: string): string[] => [
  ...["versus", "text", "--no-timing", "--base", base, "--head", head, "--server", head],
];

Deno.test(
  "one more setsockopt and one more write are named, and nothing is left",
  WITH_STRACE,
  async () => {
    await using sandbox = await Sandbox.create("shared");
    const base = await writeNodeServer(sandbox, "plain");
    const head = await writeNodeServer(sandbox, "changed", {
      onConnection: "socket.setNoDelay(false);",
      onRequest: 'writeSync(nowhere, "x");',
    });
    const { code, stdout, stderr } = await sandbox.run(counting(base, head));
    strictEqual(code, 0, stdout + stderr);
    match(stdout, /^No time was measured\.$/m);
    match(stdout, /^text: setsockopt 1 → 2 per connection$/m);
    match(stdout, /^text: write 0 → 1 per request$/m);
    deepStrictEqual(await sandbox.leftovers(), []);
    const { stdout: again } = await sandbox.tell(["report"]);
    match(again, /^text: write 0 → 1 per request$/m);
  },
);

Deno.test(
  "a server that ends or errs under strace is not counted, and says why",
  WITH_STRACE,
  async () => {
    await using sandbox = await Sandbox.create("shared");
    const head = await writeNodeServer(sandbox, "plain");
    const cases = [
      ["ends", "if (isTraced()) process.exit(7);", "the server ended with exit code 7"],
      ["errs", "if (isTraced()) response.statusCode = 500;", "a response was wrong (status 500)"],
    ] as const;
    for (const [id, onRequest, why] of cases) {
      const base = await writeNodeServer(sandbox, id, { onRequest });
      const { code, stdout } = await sandbox.run(counting(base, head));
      strictEqual(code, 3, stdout);
      match(stdout, /^Nothing could be counted\.$/m);
      strictEqual(stdout.includes(why), true, stdout);
      strictEqual(/differ|→/.test(stdout), false, stdout);
      deepStrictEqual(await sandbox.leftovers(), []);
    }
  },
);

Deno.test(
  "a run that is stopped while strace is attached leaves nothing",
  WITH_STRACE,
  async () => {
    for (const [signal, expected] of [["SIGINT", 130], ["SIGKILL", 137]] as const) {
      await using sandbox = await Sandbox.create("shared");
      const base = await writeNodeServer(sandbox, "hangs", {
        onRequest: "if (isTraced()) return;",
      });
      const running = sandbox.start(counting(base, base));
      await until(
        async () => (await sandbox.processes("strace -f")).length > 0,
        "strace is attached",
      );
      Deno.kill(running.process.pid, signal);
      const { code } = await running.outcome;
      strictEqual(code, expected);
      await untilNothingIsLeft(sandbox);
    }
  },
);

Deno.test("a machine without strace and ss counts the rest, and says what is missing", async () => {
  await using sandbox = await Sandbox.create("shared");
  const folder = await writeNodeServer(sandbox, "plain");
  const bin = `${sandbox.folder}/bin`;
  await Deno.mkdir(bin);
  for (const program of ["node", "git"]) {
    const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${program}`] })
      .output();
    await Deno.symlink(new TextDecoder().decode(stdout).trim(), `${bin}/${program}`);
  }
  const { code, stdout } = await sandbox.run(counting(folder, folder), { PATH: bin });
  strictEqual(code, 0, stdout);
  match(
    stdout,
    /^System calls were not counted: strace is not installed \(apt install strace\)\.$/m,
  );
  match(stdout, /^TCP segments were not counted at text: ss is not installed/m);
  match(stdout, /^No count differs, of [1-9]/m);
});

Deno.test("a command that would measure nothing, or decide without times, is refused", async () => {
  await using sandbox = await Sandbox.create("shared");
  const args = counting("HEAD", "HEAD").slice(0, -2);
  const cases: readonly (readonly [more: readonly string[], message: RegExp])[] = [
    [
      ["--no-counts"],
      /^Nothing is left to measure: leave out --no-timing or --no-counts, or use --measure/,
    ],
    [["--fail-on", "5%"], /^--fail-on needs times: leave out --no-timing/],
  ];
  for (const [more, message] of cases) {
    const { code, stderr } = await sandbox.tell([...args, ...more]);
    strictEqual(code, 2);
    match(stderr, message);
  }
});
