import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { Sandbox } from "./bench.ts";

const CANNED = new URL("./servers/canned/server.json", import.meta.url).pathname;
const QUICK = ["--rounds", "2", "-z", "0.5", "--warmup", "0.2", "--no-slices", "-c", "1"];

/** Faults of servers, and the line that must report each. */
const BROKEN: Readonly<Record<string, { how: string; says: RegExp; manifest?: object }>> = {
  "wrong-body": {
    how: `serve(() => new Response("Hello wurld"))`,
    says: /^wrong-body +invalid: wrong response to .*: expected Hello world, got Hello wurld$/,
  },
  "wrong-port": {
    how: `serve(() => new Response("Hello world"), 0)`,
    says:
      /^wrong-port +failed: wrong-port did not answer GET .* within 1 s: it must listen on HOST/,
    manifest: { ready: { timeoutS: 1 } },
  },
  "ends": {
    how: `console.error("no licence"); Deno.exit(5)`,
    says: /^ends +failed: ends ended with exit code 5 before it answered: no licence$/,
  },
  "never-ready": {
    how: `setInterval(() => {}, 1000)`,
    says: /^never-ready +failed: never-ready did not answer GET .* within 1 s/,
    manifest: { ready: { timeoutS: 1 } },
  },
  "seldom-500": {
    how: `let n = 0; serve(() => new Response("Hello world", { status: ++n % 100 ? 200 : 500 }))`,
    says: /^seldom-500 +invalid: .* 500/,
  },
  "garbage": {
    how: `let n = 0; raw(() => ++n > 100 ? "\\0\\xff garbage\\r\\n\\r\\n" : HELLO)`,
    says: /^garbage +(invalid|failed): /,
    manifest: { scenarios: { text: {} } },
  },
  "hangs-up": {
    how: `raw(() => HELLO, true)`,
    says: /^hangs-up +invalid: .*requests failed/,
    manifest: { scenarios: { text: {} } },
  },
  "stubborn": {
    how: `console.error("x".repeat(10_000_000));
      Deno.addSignalListener("SIGTERM", () => {});
      new Deno.Command("sleep", { args: ["300"], detached: true }).spawn();
      serve(() => new Response("Hello world"))`,
    says: /^stubborn +(≥ )?[\d,.]+ /,
    manifest: { scenarios: { text: {} } },
  },
  "endless": {
    how:
      `const body = () => new ReadableStream({ pull: (it) => it.enqueue(new Uint8Array(65536)) });
      serve(() => new Response(body()))`,
    says: /^endless +(invalid|failed): .*64 MiB/,
    manifest: { scenarios: { text: {} } },
  },
  "no-build": {
    how: "",
    says: /^no-build +failed: Cannot build no-build: "deno eval Deno.exit\(3\)" ended with exit/,
    manifest: { prepare: [["deno", "eval", "Deno.exit(3)"]] },
  },
  "no-tool": {
    how: "",
    says: /^no-tool +skipped: no-such-tool not found \(get it somewhere\)$/,
    manifest: {
      requires: [{ command: ["no-such-tool"], minimum: "1", install: "get it somewhere" }],
    },
  },
};

/** Writes a server with a fault and returns the path of its manifest. */
async function writeServer(sandbox: Sandbox, id: string): Promise<string> {
  const { how, manifest } = BROKEN[id] as typeof BROKEN[string];
  const folder = `${sandbox.folder}/${id}`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(
    `${folder}/main.js`,
    `const serve = (answer, port = Number(Deno.env.get("PORT"))) =>
      Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, answer);
    const HELLO = "HTTP/1.1 200 OK\\r\\ncontent-type: text/plain;charset=UTF-8\\r\\n" +
      "content-length: 11\\r\\n\\r\\nHello world";
    const raw = async (answer, hangsUp = false) => {
      const port = Number(Deno.env.get("PORT"));
      for await (const connection of Deno.listen({ hostname: "127.0.0.1", port })) {
        const take = async () => {
          const received = new Uint8Array(65536);
          while (await connection.read(received) !== null) {
            await connection.write(new TextEncoder().encode(answer()));
            if (hangsUp) return connection.close();
          }
        };
        take().catch(() => {});
      }
    };
    ${how};`,
  );
  const whole = {
    id,
    name: id,
    language: "JavaScript",
    scenarios: { text: {}, json: {} },
    start: ["deno", "run", "--quiet", "--no-config", "-A", "main.js"],
    ...manifest,
  };
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(whole));
  return `${folder}/server.json`;
}

Deno.test("a broken server has one clear line, and does not disturb the others", async () => {
  await using sandbox = await Sandbox.create();
  const ids = Object.keys(BROKEN);
  const manifests = await Promise.all(ids.map((id) => writeServer(sandbox, id)));
  const servers = [CANNED, ...manifests].flatMap((path) => ["--server", path]);
  const args = ["text", "json", ...servers, ...QUICK, "--cache", `${sandbox.folder}/cache`];
  const { code, stdout, stderr } = await sandbox.run(args);
  strictEqual(code, 1);
  const table = stdout.slice(stdout.indexOf("Rank"));
  const rows = table.split("\n").map((line) => line.replace(/^ +[–\d=]+ +/, ""));
  for (const id of ids) {
    const lines = rows.filter((line) => line.startsWith(`${id} `));
    const says = BROKEN[id]?.says as RegExp;
    ok(lines.some((line) => says.test(line)), `${id}:\n${lines.join("\n")}`);
    if (id !== "seldom-500" && id !== "wrong-body") strictEqual(lines.length, 1, lines.join("\n"));
  }
  match(table, /^ +– {2}canned +(≥ )?[\d,.]+ /m);
  strictEqual(/\n {4}at /.test(stdout + stderr), false, "no stack trace");
  const tries = stderr.match(/never-ready did not answer/g)?.length;
  strictEqual(tries, 1, "a server that never started is not waited for again");

  const [report] = await sandbox.reports() as unknown as Report[];
  strictEqual(report?.complete, true);
  const byId = new Map(report?.servers.map((server) => [server.id, server]));
  match(byId.get("no-tool")?.skipped ?? "", /^no-such-tool not found/);
  match(byId.get("no-build")?.failure ?? "", /^Cannot build/);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("a skipped server is no failure, but a run of nothing else is", async () => {
  await using sandbox = await Sandbox.create();
  const noTool = await writeServer(sandbox, "no-tool");
  const both = await sandbox.run(["text", "--server", CANNED, "--server", noTool, ...QUICK]);
  strictEqual(both.code, 0, both.stdout);
  const { code, stderr } = await sandbox.run(["text", "--server", noTool, ...QUICK]);
  deepStrictEqual([code, stderr], [
    1,
    "There is no server to measure\nno-tool: skipped: no-such-tool not found (get it somewhere)\n",
  ]);
});
