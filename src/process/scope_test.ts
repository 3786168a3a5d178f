import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../", import.meta.url));

/** Makes a scope in a copy of the sources, starts `sleep` in it, and is killed. */
const PROGRAM = `
import { ProcessScope } from "./process/scope.ts";
const scope = new ProcessScope();
const child = scope.spawn({ argv: ["sleep", "300"] });
console.log(child.pid, await scope.makeFolder());
await new Promise((resolve) => setTimeout(resolve, 500));
Deno.kill(Deno.pid, "SIGKILL");
`;

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("the reaper clears up after Stampede is killed, wherever the checkout lies", async () => {
  const folder = await Deno.makeTempDir({ prefix: "a b \u00e9 " });
  try {
    for (const part of ["model", "process"]) {
      await Deno.mkdir(join(folder, part));
      for await (const { name, isFile } of Deno.readDir(join(SOURCE, part))) {
        if (isFile) await Deno.copyFile(join(SOURCE, part, name), join(folder, part, name));
      }
    }
    await Deno.writeTextFile(join(folder, "main.ts"), PROGRAM);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-config", "-A", join(folder, "main.ts")],
      stderr: "null",
    }).output();
    const [, pid = "", temporary = ""] = /^(\d+) (.*)\n/.exec(new TextDecoder().decode(stdout)) ??
      [];
    strictEqual(temporary === "", false, "it made no folder");
    const left = async (): Promise<boolean[]> => [
      await exists(`/proc/${pid}/fd/0`),
      await exists(temporary),
    ];
    const deadline = performance.now() + 15_000;
    while ((await left()).includes(true) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    deepStrictEqual(await left(), [false, false]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
