// deno-lint-ignore-file no-console -- the log of the job is how this program answers
/** The entry of action.yml: runs the action and ends with its exit code. */
import { fileURLToPath } from "node:url";
import "../../fetch.ts";
import type * as Act from "./act.ts";
import { type ActionContext, endInTime, tell } from "./runner.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Time in milliseconds in which a stopped command writes its report, before it is killed. */
const GRACE_MS = 60_000;

const world: ActionContext = {
  env: (name) => Deno.env.get(name) ?? "",
  say: (line) => console.log(line),
  // In a separate process without the token, because it starts code of pull requests
  bench: async (args, folder, timeoutMs) => {
    const env = Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("INPUT_"));
    const process = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-A", "--config", `${ROOT}deno.json`, `${ROOT}bench.ts`, ...args],
      cwd: folder,
      clearEnv: true,
      // npx sets INIT_CWD, which would change the base of relative paths
      env: { ...Object.fromEntries(env), INIT_CWD: "" },
      stdin: "null",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
    return await endInTime(
      process,
      { timeoutMs, graceMs: GRACE_MS },
      () => tell(world, "error", `Stopped after ${timeoutMs / 60_000} min, see timeout-minutes`),
    );
  },
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  timeoutMs: 30_000,
};

// The address is computed, so that Deno resolves the modules only after they were fetched
const { act } = await import(new URL("./act.ts", import.meta.url).href) as typeof Act;
Deno.exit(await act(world));
