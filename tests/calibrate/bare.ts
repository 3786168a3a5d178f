import { fileURLToPath } from "node:url";
import { median } from "../../src/stats/median.ts";
import { ProcessScope } from "../../src/process/scope.ts";
import { familyOf, readProcesses } from "../../src/process/tree.ts";
import { readManifest } from "../../src/target/catalog.ts";
import { launch, type RunningServer } from "../../src/target/launch.ts";
import { Sandbox } from "../bench.ts";
import { writeServer } from "./manifest.ts";
import { say } from "./say.ts";
import { versus } from "./versus.ts";

const PEERS = fileURLToPath(new URL("../../peers/", import.meta.url));
const STEPS = fileURLToPath(new URL("../servers/bare_steps.ts", import.meta.url));
/** Seconds of warm-up, which compiles a server's code, and of measured load. */
const WARMUP_S = 1;
const WINDOW_S = 3;

/** Compares the cost of each step of a response to `/` with the bare server, in slices. */
export async function steps(runs: number): Promise<void> {
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const compare = async (step: string, head: string): Promise<void> => {
      const args = ["text", "--base", `${PEERS}deno-bare`, "--head", head];
      const [cpu] = await versus(sandbox, `${i}: ${step}`, args);
      const us = (ratio = NaN): string => ((cpu?.base ?? NaN) * (ratio - 1)).toFixed(2);
      const { ratio, confidenceInterval } = cpu ?? {};
      say(
        `   ${us(ratio ?? NaN)} us more (${us(confidenceInterval?.low)} to ${
          us(confidenceInterval?.high)
        })`,
      );
    };
    for (const step of ["request", "url", "path"]) {
      const options = { scenario: "text", program: [STEPS, step] };
      await compare(step, await writeServer(sandbox, step, options));
    }
    await compare("deno", `${PEERS}deno`);
  }
}

/** Figures of a window of wrk. */
interface Window {
  readonly perS: number;
  readonly cpuUs: number;
}

/**
 * Compares rates of `/` with the bare server's, with wrk, one thread and ten connections. It measures
 * Stampede's own server, and one that only reads the URL, which every server with several routes must do.
 * Each round has fresh processes in the reverse order.
 */
export async function rates(rounds: number): Promise<void> {
  await using sandbox = await Sandbox.create();
  const url = await writeServer(sandbox, "url", { scenario: "text", program: [STEPS, "url"] });
  const manifests = [`${PEERS}deno-bare`, url, `${PEERS}deno`];
  const servers = await Promise.all(manifests.map(readManifest));
  const found: Window[][] = servers.map(() => []);
  for (let i = 1; i <= rounds; i++) {
    await using scope = new ProcessScope();
    const running: RunningServer[] = [];
    for (const server of servers) {
      running.push(
        await launch(scope, server, { env: {} }),
      );
    }
    for (const server of running) await load(server, WARMUP_S);
    const entries = [...running.entries()];
    for (const [k, server] of i % 2 === 0 ? entries.toReversed() : entries) {
      found[k]?.push(await load(server, WINDOW_S));
    }
    say(`${i}: ${servers.map(({ id }, k) => `${id} ${describe(found[k]?.at(-1))}`).join(", ")}`);
  }
  const [bare = [], ...others] = found;
  for (const [k, windows] of others.entries()) {
    const ratios = (figure: keyof Window): number[] =>
      windows.map((window, i) => window[figure] / (bare[i]?.[figure] ?? NaN));
    say(
      `${servers[k + 1]?.id} over deno-bare: rate ${spread(ratios("perS"))}; CPU time ${
        spread(ratios("cpuUs"))
      }`,
    );
  }
}

/** Loads `/` with wrk for a number of seconds. */
async function load({ origin, pid }: RunningServer, seconds: number): Promise<Window> {
  const beforeUs = cpuUsOf(pid);
  const args = ["-t1", "-c10", `-d${seconds}`, `${origin}/`];
  const { stdout } = await new Deno.Command("wrk", { args }).output();
  const usedUs = cpuUsOf(pid) - beforeUs;
  const text = new TextDecoder().decode(stdout);
  const perS = Number(/^Requests\/sec: +([\d.]+)/m.exec(text)?.[1]);
  const responses = Number(/^ +(\d+) requests in/m.exec(text)?.[1]);
  if (!(perS > 0) || text.includes("Non-2xx")) throw new Error(text);
  return { perS, cpuUs: usedUs / responses };
}

/** Returns the CPU time of a server's processes so far, in microseconds. */
function cpuUsOf(pid: number | null): number {
  const processes = readProcesses();
  if (processes === null || pid === null) return NaN;
  return familyOf(processes, [pid]).reduce((sum, id) => {
    const { userUs = 0, systemUs = 0 } = processes.get(id) ?? {};
    return sum + userUs + systemUs;
  }, 0);
}

function describe({ perS, cpuUs }: Window = { perS: NaN, cpuUs: NaN }): string {
  return `${Math.round(perS)}/s at ${cpuUs.toFixed(2)} us`;
}

function spread(values: readonly number[]): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)]
    .map((value) => value.toFixed(3));
  return `median ${middle}, ${least} to ${most}`;
}
