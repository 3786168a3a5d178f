import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { REPORT } from "../src/view/testdata.ts";
import { Sandbox } from "./bench.ts";
import { execute } from "./in_process.ts";

const BENCH = new URL("../bench.ts", import.meta.url).pathname;
const hasScript = await new Deno.Command("sh", { args: ["-c", "command -v script"] }).output()
  .then(({ success }) => success);

/** What `bench report` writes to a terminal of this kind. */
async function shownOn(terminal: string, noColor = ""): Promise<string> {
  await using sandbox = await Sandbox.create();
  await Deno.writeTextFile(`${sandbox.folder}/x.json`, JSON.stringify(REPORT));
  const command = `'${Deno.execPath()}' run --quiet -A '${BENCH}' report x.json`;
  const { success, stdout } = await new Deno.Command("script", {
    args: ["--quiet", "--return", "--command", command, "/dev/null"],
    cwd: sandbox.folder,
    env: { TERM: terminal, NO_COLOR: noColor, INIT_CWD: "" },
    stdin: "null",
  }).output();
  ok(success, new TextDecoder().decode(stdout));
  return new TextDecoder().decode(stdout);
}

Deno.test({
  name: "a terminal gets escape sequences, unless it is a dumb one",
  ignore: !hasScript, // it makes the terminal
  async fn(): Promise<void> {
    ok((await shownOn("xterm")).includes("\x1b["));
    const text = await shownOn("dumb");
    ok(text.includes("Req/Sec"), text);
    strictEqual(text.includes("\x1b"), false);
  },
});

Deno.test({
  name: "a terminal gets no styles where NO_COLOR is set",
  ignore: !hasScript,
  async fn(): Promise<void> {
    // https://no-color.org
    const text = await shownOn("xterm", "1");
    ok(text.includes("Req/Sec"), text);
    strictEqual(text.includes("\x1b["), false);
  },
});

Deno.test("at 80 columns no command breaks a word, since no line is too long", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.mkdir(`${sandbox.folder}/results`);
  await Deno.writeTextFile(`${sandbox.folder}/results/x.json`, JSON.stringify(REPORT));
  for (
    const args of [
      ["list", "scenarios"],
      ["list", "servers"],
      ["doctor"],
      ["history"],
      ["report", "--wide", "--explain", "text"],
      ["text", "--dry-run"],
      ["--preset", "deno-http", "--dry-run"],
    ]
  ) {
    const { code, stdout, stderr } = await execute(args, { folder: sandbox.folder, columns: 80 });
    strictEqual(code, 0, stderr);
    const long = stdout.split("\n").filter((line) => line.length > 80);
    deepStrictEqual(long, [], args.join(" "));
  }
});

Deno.test("list generators shows which one is measured", async () => {
  await using sandbox = await Sandbox.create();
  const { stderr } = await execute(["list", "generators"], {
    folder: sandbox.folder,
    columns: 80,
    hasTerminal: true,
  });
  match(stderr, /\[1\/\d+\] \S+ against canned bytes/);
});
