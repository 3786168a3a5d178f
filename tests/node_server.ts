/** Small servers on Node.js for tests, which do something for each connection or request. */
import type { Sandbox } from "./bench.ts";

/** Statements of a server. */
export interface NodeServer {
  /**
   * Before all others. They can use `openSync`, `readFileSync` and `writeSync`, the file `nowhere`, and
   * `isTraced()`, which is true under strace.
   */
  readonly first?: string;
  /** For each connection, `socket`. */
  readonly onConnection?: string;
  /** For each `request`, before its `response`. */
  readonly onRequest?: string;
  /** The command that starts it. */
  readonly start?: readonly string[];
}

/** Writes a server with the scenario `text` into a new folder of the sandbox and returns its path. */
export async function writeNodeServer(
  { folder }: Sandbox,
  id: string,
  { first = "", onConnection = "", onRequest = "", start = ["node", "main.cjs"] }: NodeServer = {},
): Promise<string> {
  const path = `${folder}/${id}`;
  const manifest = { id, name: id, language: "JavaScript", scenarios: { text: {} }, start };
  await Deno.mkdir(path);
  await Deno.writeTextFile(`${path}/server.json`, JSON.stringify(manifest));
  await Deno.writeTextFile(
    `${path}/main.cjs`,
    `
const { openSync, readFileSync, writeSync } = require("node:fs");
const nowhere = openSync("/dev/null", "w");
const isTraced = () => /TracerPid:\\t[1-9]/.test(readFileSync("/proc/self/status", "utf8"));
${first}
require("node:http").createServer((request, response) => {
  ${onRequest}
  response.setHeader("Content-Type", "text/plain;charset=UTF-8");
  response.end("Hello world");
}).on("connection", (socket) => { ${onConnection} })
  .listen(Number(process.env.PORT), process.env.HOST);
`,
  );
  return path;
}
