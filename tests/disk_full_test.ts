import { deepStrictEqual, match, ok } from "node:assert/strict";
import { Sandbox } from "./bench.ts";

/** Mounts a file system of a given size on a folder; returns false if that is not allowed. */
async function mount(folder: string, bytes: number): Promise<boolean> {
  await Deno.mkdir(folder);
  const args = ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder];
  return await Promise.try(() => new Deno.Command("mount", { args }).output())
    .then(({ success }) => success, () => false);
}

async function unmount(folder: string): Promise<void> {
  await new Deno.Command("umount", { args: [folder] }).output();
}

const trial = await Deno.makeTempDir({ prefix: "stampede-tests-" });
const canMount = Deno.build.os === "linux" && await mount(`${trial}/small`, 16_384);
if (canMount) await unmount(`${trial}/small`);
await Deno.remove(trial, { recursive: true });

Deno.test({
  name: "a disk that is full costs the report, and not the table, and leaves no half of a file",
  ignore: !canMount, // the account must be allowed to mount a small one
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create("shared");
    const disk = `${sandbox.folder}/small`;
    await mount(disk, 16_384);
    try {
      const short = ["--rounds", "1", "-z", "0.5", "--warmup", "0.2", "--no-slices", "-c", "1"];
      const run = await sandbox.run(["text", "json", ...short, "--out", `${disk}/x.json`]);
      deepStrictEqual(run.code, 1, run.stderr);
      match(run.stdout, /^Scenario +Req\/Sec/m);
      match(
        run.stderr,
        /^Cannot write the report to \S+x\.json: No space left on device.*; the run continues/m,
      );
      const files = await Array.fromAsync(Deno.readDir(disk), ({ name }) => name);
      for (const name of files) {
        const text = await Deno.readTextFile(`${disk}/${name}`);
        ok(text === "" || JSON.parse(text), name);
      }
      deepStrictEqual(await sandbox.leftovers(), []);
    } finally {
      await unmount(disk);
    }
  },
});
