import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { REPORT } from "../src/view/report_testdata.ts";
import { Sandbox } from "./bench.ts";
import { execute } from "./in_process.ts";

const BENCH = new URL("../bench.ts", import.meta.url).pathname;
const hasScript = await new Deno.Command("sh", { args: ["-c", "command -v script"] }).output()
  .then(({ success }) => success);

/** Returns the output of `stampede report` on a terminal of this kind. */
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
  ignore: !hasScript, // `script` provides the terminal
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

/** Sequences that set a terminal's title, clear it, hide text or change the text direction. */
const STEERING = "\x1b]0;title\x07\x1b[2J\x1b[8m\x9b31m\u202e\u2066\r";
/** Characters that must not reach a terminal. */
const STEERS = /(?!\r\n)[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u;

Deno.test("what presets, manifests, scenarios and the command line say steers no terminal", async () => {
  await using sandbox = await Sandbox.create();
  const text = `evil ${STEERING}`;
  const row = { id: "a", name: text, server: "deno-bare", published: { requestsPerS: 1 } };
  const table = {
    title: text,
    scenario: "text",
    tool: "autocannon",
    connections: 1,
    seconds: 1,
    runs: 1,
    kept: "single",
    rows: [row],
  };
  const preset = { id: "evil", title: text, source: text, tables: [table] };
  const manifest = {
    id: "evil",
    name: text,
    language: text,
    why: text,
    scenarios: { text: {}, mine: {} },
    requires: [{ command: [text], minimum: "0", install: text }],
    start: [text],
  };
  const scenario = `export default ${
    JSON.stringify({ id: "mine", title: text, request: { path: "/" } })
  };\nexport const _ = 1;`.replace('"request"', "expect() {}, request");
  await Deno.mkdir(`${sandbox.folder}/evil`);
  await Deno.writeTextFile(`${sandbox.folder}/evil.json`, JSON.stringify(preset));
  await Deno.writeTextFile(`${sandbox.folder}/evil/server.json`, JSON.stringify(manifest));
  await Deno.writeTextFile(`${sandbox.folder}/mine.js`, scenario);
  const server = ["--server", "evil/server.json"];
  for (
    const args of [
      ["--preset", "./evil.json", "--dry-run"],
      ["text", ...server, "--dry-run"],
      ["text", ...server, "--dry-run", "--json"],
      ["--scenario", "./mine.js", ...server, "--dry-run"],
      ["verify", "text", ...server],
      [text],
      ["text", `--${text}`],
    ]
  ) {
    const { stdout, stderr } = await sandbox.run(args);
    ok((stdout + stderr).length > 0);
    strictEqual(
      STEERS.exec(stdout + stderr)?.[0],
      undefined,
      JSON.stringify([args, stdout, stderr]),
    );
  }
  const { stdout } = await sandbox.run(["text", ...server, "--dry-run", "--json"]);
  deepStrictEqual(JSON.parse(stdout).experiment.variants[0].label, text, "JSON keeps it");
});
