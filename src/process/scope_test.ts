import { match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { ProcessScope } from "./scope.ts";

const SOURCE = fileURLToPath(new URL("../", import.meta.url));

/** Makes a scope in a copy of the sources, starts `sleep` in it, and is killed. */
const WORKING = `
import { ProcessScope } from "./process/scope.ts";
const scope = new ProcessScope();
const child = scope.spawn({ argv: ["sleep", "300"] });
console.log(child.pid, encodeURIComponent(await scope.makeFolder()));
await new Promise((resolve) => setTimeout(resolve, 500));
Deno.kill(Deno.pid, "SIGKILL");
`;

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Waits until a condition is true, and fails if it never is. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!await isSo()) {
    if (performance.now() > deadline) throw new Error(`It never came to this: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Is killed as soon as it has a folder, before it can print the path. */
const EARLY = `
import { ProcessScope } from "./process/scope.ts";
const { mkdir } = Deno;
Deno.mkdir = async (path, options) => {
  await mkdir(path, options);
  console.log(0, encodeURIComponent(path));
  Deno.kill(Deno.pid, "SIGKILL");
};
await new ProcessScope().makeFolder();
`;

for (const [name, program] of [["in its work", WORKING], ["with a new folder", EARLY]] as const) {
  Deno.test(`the reaper clears up after Stampede is killed ${name}, wherever the checkout lies`, async () => {
    const folder = await Deno.makeTempDir({ prefix: "a b \u00e9 " });
    try {
      for (const part of ["model", "process"]) {
        await Deno.mkdir(join(folder, part));
        for await (const { name, isFile } of Deno.readDir(join(SOURCE, part))) {
          if (isFile) await Deno.copyFile(join(SOURCE, part, name), join(folder, part, name));
        }
      }
      await Deno.writeTextFile(join(folder, "main.ts"), program);
      const odd = join(folder, "t\nadd folder m\u00fc");
      await Deno.mkdir(odd);
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--no-config", "-A", join(folder, "main.ts")],
        env: { TMPDIR: odd },
        stderr: "null",
      }).output();
      const [pid = "", path = ""] = new TextDecoder().decode(stdout).trim().split(" ");
      const temporary = decodeURIComponent(path);
      strictEqual(temporary.startsWith(`${odd}/stampede-`), true, temporary);
      const left = async (): Promise<boolean[]> => [
        await exists(`/proc/${pid}/fd/0`),
        await exists(temporary),
      ];
      await until(async () => !(await left()).includes(true));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test({
  name: "a program ends with all that it started, even in a session of its own",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    const { promise, resolve } = Promise.withResolvers<string>();
    const argv = ["sh", "-c", "setsid sleep 300 & echo $!; wait"];
    const child = scope.spawn({ argv, onLine: resolve });
    const pid = await promise;
    strictEqual(await exists(`/proc/${pid}/fd/0`), true);
    await child.stop();
    await until(async () => !await exists(`/proc/${pid}/fd/0`));
  },
});

Deno.test({
  name: "the reaper finds what was started when Stampede was killed already",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    const program = `
import { ProcessScope } from "${new URL("scope.ts", import.meta.url)}";
const scope = new ProcessScope();
console.log(scope.spawn({ argv: ["sleep", "300"] }).pid);
Deno.kill(Deno.pid, "SIGKILL");
`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-config", program],
      stderr: "null",
    }).output();
    const pid = new TextDecoder().decode(stdout).trim();
    strictEqual(/^\d+$/.test(pid), true, pid);
    await until(async () => !await exists(`/proc/${pid}/fd/0`));
  },
});

/**
 * Returns the path of a temporary folder that is made with this TMPDIR, in another process: tests share
 * their environment.
 */
async function madeFolder(tmpdir: string): Promise<string> {
  const program = `
import { ProcessScope } from "${new URL("scope.ts", import.meta.url)}";
await using scope = new ProcessScope();
console.log(await scope.makeFolder().catch(String));
`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-config", program],
    env: { TMPDIR: tmpdir },
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("a temporary folder has an absolute path, also where TMPDIR is empty", async () => {
  match(await madeFolder(""), /^\/tmp\/stampede-[^/]+$/);
  match(
    await madeFolder("nowhere/at/all"),
    /^Failure: Cannot make a temporary folder: .*set TMPDIR/,
  );
});
