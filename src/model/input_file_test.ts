import { match, rejects, strictEqual, throws } from "node:assert/strict";
import { readInputFile, readInputFileSync } from "./input_file.ts";

Deno.test("a file is read whole, and no further than one of its kind may be", async () => {
  const path = await Deno.makeTempFile();
  const text = "µ".repeat(300_000);
  await Deno.writeTextFile(path, text);
  strictEqual(await readInputFile(path, "manifest"), text);
  strictEqual(readInputFileSync(path, "env"), text);
  await Deno.writeTextFile(path, "x".repeat(2 ** 20));
  strictEqual((await readInputFile(path, "manifest")).length, 2 ** 20);
  await Deno.writeTextFile(path, "x".repeat(2 ** 20 + 1));
  await rejects(readInputFile(path, "manifest"), /^Error: it has more than 1 MiB$/);
  strictEqual((await readInputFile(path, "project")).length, 2 ** 20 + 1);
  await Deno.writeTextFile(path, "");
  strictEqual(await readInputFile(path, "manifest"), "");
  await Deno.remove(path);
  await rejects(readInputFile(path, "manifest"), Deno.errors.NotFound);
});

Deno.test({
  name: "what is no regular file is not read, also behind a link",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    await Deno.symlink("/dev/zero", `${folder}/link`);
    using _ = Deno.listen({ transport: "unix", path: `${folder}/socket` });
    const cases = { pipe: "pipe", link: "device", socket: "socket", ".": "folder" };
    for (const [name, what] of Object.entries(cases)) {
      const message = new RegExp(`^Error: it is a ${what}, and only regular files are read$`);
      await rejects(readInputFile(`${folder}/${name}`, "manifest"), message);
      throws(() => readInputFileSync(`${folder}/${name}`, "env"), message);
    }
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test({
  name: "a file that does not tell its size is read whole",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    match(await readInputFile("/proc/self/comm", "manifest"), /\n$/);
  },
});
