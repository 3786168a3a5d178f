/** Servers with wrong web features: each is detected before the load or under it. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Sandbox } from "./bench.ts";

const SERVER = fileURLToPath(new URL("./servers/wrong_web.ts", import.meta.url));
const SOCKET_SERVER = fileURLToPath(new URL("./servers/wrong_socket.ts", import.meta.url));
/** Behaviours of `wrong_socket.ts`, and the message for each. */
const MUTE: Readonly<Record<string, RegExp>> = {
  mute: /^websocket +invalid: .*: expected an echo, got nothing within 5 s$/m,
  pings: /^websocket +invalid: .*: expected an echo, got nothing within 5 s$/m,
  drips: /^websocket +invalid: .*: expected message 1 of 2000: "message 0", got "A"$/m,
};
/** Maximum duration in seconds. The run takes about ten on an idle machine. */
const LONGEST_S = 40;

/** The fault, the scenario, and the line that reports it. */
const BEFORE: readonly (readonly [wrong: string, scenario: string, says: RegExp])[] = [
  [
    "unescaped",
    "fortunes",
    /^FAIL +wrong-web fortunes: .*: expected rows of escaped text, got <tr>/m,
  ],
  ["remembered", "db", /^FAIL +wrong-web no-cache: .* once every row was changed/m],
  [
    "unwritten",
    "updates",
    /^FAIL +wrong-web updates: writes the rows that it returns: expected \{.*to be written/m,
  ],
  [
    "dropping",
    "websocket",
    /^FAIL +wrong-web websocket: echoes 2000 .*: expected message \d+ of 2000/m,
  ],
];
/** Faults that no check detects, because the first responses are right. */
const UNDER_LOAD: typeof BEFORE = [
  ["truncated", "static", /^static +invalid: \d+ wrong responses under load/m],
  [
    "seldom-written",
    "updates",
    /^updates +invalid: (\d+\.\d rows changed per response|the database executed)/m,
  ],
];

/** Writes the manifest of a server with this fault and returns its path. */
async function writeServer(
  sandbox: Sandbox,
  wrong: string,
  scenario: string,
  main = SERVER,
): Promise<string> {
  const manifest = {
    id: "wrong-web",
    name: "Wrong in one way",
    language: "TypeScript",
    scenarios: { [scenario]: {} },
    start: ["deno", "run", "--no-prompt", "-A", main],
    env: { WRONG: wrong },
  };
  const path = `${sandbox.folder}/wrong-web/server.json`;
  await Deno.mkdir(`${sandbox.folder}/wrong-web`);
  await Deno.writeTextFile(path, JSON.stringify(manifest));
  return path;
}

Deno.test("a server that is wrong from the begin fails its verification", async () => {
  for (const [wrong, scenario, says] of BEFORE) {
    await using sandbox = await Sandbox.create("shared");
    const server = await writeServer(sandbox, wrong, scenario);
    const { code, stdout } = await sandbox.run(["verify", scenario, "--server", server]);
    match(stdout, says);
    strictEqual(code, 1, wrong);
    deepStrictEqual(await sandbox.leftovers(), []);
  }
});

Deno.test("a server that is wrong under load has no figure, but the reason", async () => {
  for (const [wrong, scenario, says] of UNDER_LOAD) {
    await using sandbox = await Sandbox.create("embedded");
    const window = ["--rounds", "1", "-z", "0.5", "--warmup", "0.2", "--no-slices"];
    const server = await writeServer(sandbox, wrong, scenario);
    const { code, stdout } = await sandbox.run([scenario, "--server", server, ...window]);
    match(stdout, says);
    strictEqual(code, 1, wrong);
    deepStrictEqual(await sandbox.leftovers(), []);
  }
});

Deno.test("a WebSocket that never echoes costs seconds, with the reason", async () => {
  await Promise.all(
    Object.entries(MUTE).map(async ([wrong, says]) => {
      await using sandbox = await Sandbox.create("shared");
      const server = await writeServer(sandbox, wrong, "websocket", SOCKET_SERVER);
      const startedMs = performance.now();
      const { code, stdout } = await sandbox.run(["websocket", "--server", server, "--quick"]);
      const tookS = (performance.now() - startedMs) / 1000;
      match(stdout, says);
      strictEqual(code, 1, wrong);
      ok(tookS < LONGEST_S, `${wrong}: ${tookS} s`);
      deepStrictEqual(await sandbox.leftovers(), []);
    }),
  );
});
