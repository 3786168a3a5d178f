/** `stampede list` remembers what is installed, because version commands take seconds. */
import { match, strictEqual } from "node:assert/strict";
import { Sandbox } from "./bench.ts";

Deno.test("list remembers versions until the program's file changes", async () => {
  await using sandbox = await Sandbox.create();
  const bin = `${sandbox.folder}/bin`;
  const counter = `${sandbox.folder}/runs`;
  await Deno.mkdir(bin);
  const install = async (version: string, changedAt: Date): Promise<void> => {
    const script = `#!/bin/sh\necho x >>${counter}\necho 'wrk ${version} [epoll]'\n`;
    await Deno.writeTextFile(`${bin}/wrk`, script, { mode: 0o755 });
    await Deno.utime(`${bin}/wrk`, changedAt, changedAt);
  };
  const list = async (): Promise<string> => {
    const env = { PATH: bin, XDG_CACHE_HOME: `${sandbox.folder}/cache` };
    const { stdout, stderr } = await sandbox.run(["list"], env);
    return /^ {2}wrk .*$/m.exec(stdout)?.[0] ?? stderr;
  };
  const [then, later] = [new Date("2026-01-01"), new Date("2026-01-02")];
  await install("4.1.0", then);
  match(await list(), /4\.1\.0 +\S+\/bin\/wrk$/);
  await install("4.2.0", then);
  match(await list(), /4\.1\.0/, "the file seems to be the same");
  await install("4.2.0", later);
  match(await list(), /4\.2\.0/);
  strictEqual(await Deno.readTextFile(counter), "x\nx\n");
});
