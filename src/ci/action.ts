/** Runs the GitHub Action on a runner, as `stampede action`. action.yml starts it. */
import { fileURLToPath } from "node:url";
import { act } from "./act.ts";
import { endInTime, tell } from "./runner.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Time in milliseconds in which a stopped command writes its report, before it is killed. */
const GRACE_MS = 60_000;
/** Time limit of a request to GitHub, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Runs the action with the inputs in `INPUT_` variables; `say` prints to the job's log. */
export async function runAction(say: (line: string) => void): Promise<number> {
  return await act({
    env: (name) => Deno.env.get(name) ?? "",
    say,
    // In a separate process without the token, because it starts code of pull requests
    bench: async (args, folder, timeoutMs) => {
      const env = Object.entries(Deno.env.toObject())
        .filter(([name]) => !name.startsWith("INPUT_"));
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
        () =>
          tell({ say }, "error", `Stopped after ${timeoutMs / 60_000} min, see timeout-minutes`),
      );
    },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    timeoutMs: TIMEOUT_MS,
  });
}
