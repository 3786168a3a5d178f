/** Stops runs from outside: by a second Ctrl-C, by npx, and by closing the terminal. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { freePort } from "../src/process/connect.ts";
import { Sandbox, until, untilNothingIsLeft } from "./bench.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Windows that would end long after the test has stopped the run. */
const LONG = ["text", "--no-slices", "--rounds", "1", "-z", "60", "--warmup", "0.2", "-c", "1"];
const STUBBORN = `
  Deno.addSignalListener("SIGTERM", () => {});
  const port = Number(Deno.env.get("PORT"));
  Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, () => new Response("Hello world"));`;

/** Returns whether a program exists. */
async function has(program: string): Promise<boolean> {
  const { success } = await new Deno.Command("sh", { args: ["-c", `command -v ${program}`] })
    .output();
  return success;
}

const hasNpx = await has("npx");
const hasScript = await has("script");

Deno.test("a second Ctrl-C does not wait for an orderly stop, and nothing stays", async () => {
  await using sandbox = await Sandbox.create("shared");
  const folder = `${sandbox.folder}/stubborn`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/main.js`, STUBBORN);
  const manifest = {
    id: "stubborn",
    name: "Stubborn",
    language: "JavaScript",
    scenarios: { text: {} },
    start: ["deno", "run", "--quiet", "--no-config", "-A", "main.js"],
  };
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(manifest));
  const running = sandbox.start([...LONG, "--server", folder]);
  await until(async () => (await sandbox.processes("autocannon_process")).length > 0, "it loads");
  Deno.kill(running.process.pid, "SIGINT");
  // The server has three seconds after the stop signal; this takes a part of them
  await new Promise((resolve) => setTimeout(resolve, 1200));
  deepStrictEqual((await sandbox.processes("main.js")).length > 0, true);
  Deno.kill(running.process.pid, "SIGINT");
  const { code, stdout } = await running.outcome;
  deepStrictEqual([code, stdout], [130, ""]); // a regular end would have printed a table
  await untilNothingIsLeft(sandbox);
});

Deno.test({
  name: "a signal to npx, or its death, ends what it has started",
  ignore: !hasNpx || Deno.build.os !== "linux", // other systems do not report parent processes
  async fn(): Promise<void> {
    const runs = [["serve", "SIGTERM"], ["serve", "SIGKILL"], ["bench", "SIGTERM"]] as const;
    await Promise.all(runs.map(async ([command, signal]) => {
      await using sandbox = await Sandbox.create(command === "serve" ? "embedded" : "shared");
      const args = command === "serve"
        ? ["--port", String(freePort())]
        : [...LONG, "--out", `${sandbox.folder}/x.json`];
      // npx would provide the Deno that runs this test
      const deno = `'${Deno.execPath()}' task --quiet --cwd '${ROOT}' ${command} ${args.join(" ")}`;
      const running = sandbox.startProgram(["npx", "--call", deno]);
      await until(
        async () => (await sandbox.processes("src/server/main.ts")).length > 0,
        "there is a server",
      );
      Deno.kill(running.process.pid, signal);
      await running.process.status;
      await untilNothingIsLeft(sandbox);
    }));
  },
});

Deno.test({
  name: "a terminal that is closed ends bench, which keeps what it has",
  ignore: !hasScript, // `script` provides the terminal
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create("shared");
    const args = ["json", ...LONG, "-z", "2", "--rounds", "20"];
    const bench = `'${Deno.execPath()}' run --quiet -A '${ROOT}bench.ts' ${args.join(" ")}`;
    const running = sandbox.startProgram(["script", "--quiet", "--command", bench, "/dev/null"]);
    await until(async () => {
      const [report] = await sandbox.reports();
      return (report?.trialResults.length ?? 0) > 0;
    }, "a window has ended");
    Deno.kill(running.process.pid, "SIGKILL");
    await running.process.status;
    await untilNothingIsLeft(sandbox);
    const [report] = await sandbox.reports();
    strictEqual(report?.complete, false);
  },
});
