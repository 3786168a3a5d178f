/** Input files that are not regular files, or too large: each is refused immediately, with its name. */
import { deepStrictEqual, match } from "node:assert/strict";
import { within } from "../src/load/testdata/testing.ts";
import { Sandbox } from "./bench.ts";

/** Replacements for a regular file, and the error message for each. */
const ODD = {
  device: [(path: string) => Deno.symlink("/dev/zero", path), /it is a device/],
  pipe: [
    async (path: string) => void await new Deno.Command("mkfifo", { args: [path] }).output(),
    /it is a pipe/,
  ],
  folder: [(path: string) => Deno.mkdir(path), /it is a folder/],
  "larger file": [async (path: string) => {
    using file = await Deno.open(path, { createNew: true, write: true });
    await file.truncate(2 ** 30);
  }, /it has more than \d+ MiB/],
} as const;

/** Input files by kind: the path of the file, and the command that reads it. */
const PLACES: Readonly<Record<string, readonly [path: string, args: readonly string[]]>> = {
  manifest: ["odd/server.json", ["text", "--server", "odd/server.json"]],
  "manifest that gets a scenario": [
    "odd.json",
    ["new", "scenario", "mine", "--server", "odd.json"],
  ],
  preset: ["odd.json", ["--preset", "./odd.json"]],
  scenario: ["odd.js", ["--scenario", "./odd.js"]],
  report: ["odd.json", ["report", "odd.json"]],
  "one of two reports": ["odd.json", ["compare", "odd.json", "odd.json"]],
  "what a runner counted": ["odd.json", ["import", "k6", "odd.json"]],
  body: ["odd", ["http://127.0.0.1:1/", "-d", "@odd"]],
  "package.json": ["package.json", ["init"]],
  "deno.json": ["deno.json", ["init"]],
  "go.mod": ["go.mod", ["init"]],
  "Cargo.toml": ["Cargo.toml", ["init"]],
  "pom.xml": ["pom.xml", ["init"]],
  "pyproject.toml": ["pyproject.toml", ["init"]],
};

for (const [kind, [make, says]] of Object.entries(ODD)) {
  Deno.test({
    name: `a ${kind} in place of a file is refused at once`,
    ignore: Deno.build.os === "windows",
    async fn(): Promise<void> {
      for (const [place, [path, args]] of Object.entries(PLACES)) {
        await using sandbox = await Sandbox.create();
        if (path.includes("/")) await Deno.mkdir(`${sandbox.folder}/odd`);
        await make(`${sandbox.folder}/${path}`);
        const { code, stdout, stderr } = await within(sandbox.tell(args));
        // For a manifest, a folder means its server.json
        if (!(kind === "folder" && place === "manifest")) match(stderr, says, place);
        match(stderr, new RegExp(path.split("/").at(-1) ?? ""), place);
        deepStrictEqual([code, stdout], [2, ""], `${place}: ${stderr}`);
      }
    },
  });
}

Deno.test({
  name: ".env and the index of results are read as files too",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    for (const [make, says] of Object.values(ODD)) {
      await using sandbox = await Sandbox.create();
      await make(`${sandbox.folder}/.env`);
      const { code, stderr } = await sandbox.run(["text", "--dry-run"]);
      match(stderr, says);
      match(stderr, /^Cannot read \.env: /);
      deepStrictEqual(code, 2);
      await Deno.remove(`${sandbox.folder}/.env`, { recursive: true });
      await Deno.mkdir(`${sandbox.folder}/results`);
      await make(`${sandbox.folder}/results/index.jsonl`);
      const history = await within(sandbox.tell(["history"]));
      match(history.stdout + history.stderr, /There is no such run in results/);
    }
  },
});
