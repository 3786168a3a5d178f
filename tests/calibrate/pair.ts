import { fileURLToPath } from "node:url";
import type { Report } from "../../src/model/report.ts";
import { median } from "../../src/stats/median.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { writeServer } from "./manifest.ts";
import { ONLY_TIMES } from "./versus.ts";
import { changesOf, describe, lengthOf, percent, say } from "./say.ts";

const SERVER = fileURLToPath(new URL("../servers/busy.ts", import.meta.url));
/** Options for a run of half a minute: shorter rounds, and no added ones. */
const SHORT = ["--rounds", "8", "--max-rounds", "8", "-z", "1", "--warmup", "0.4"];

/** Compares a server with itself repeatedly. */
export async function same(runs: number): Promise<void> {
  let different = 0;
  const estimates: number[] = [];
  for (let i = 1; i <= runs; i++) {
    const report = await versus(0, []);
    const changes = changesOf(report);
    if (changes.some(({ verdict }) => verdict !== "same")) different++;
    estimates.push(changes[0]?.ratio ?? NaN);
    say(
      `${i}: ${changes.map(describe).join("; ")}; ${
        lengthOf(report)
      }; different so far: ${different}`,
    );
  }
  const close = estimates.filter((ratio) => Math.abs(ratio - 1) <= 0.01).length;
  const [least, most] = [Math.min(...estimates), Math.max(...estimates)].map(percent);
  say(
    `same: ${different} of ${runs} different; CPU time ${least} to ${most}, ${close} within 1 %`,
  );
}

/**
 * Compares a server with one that waits busily before each response. Prints the measured cost and that of the
 * same wait in a loop without a network.
 *
 * @param us length of the wait, in microseconds
 * @param limitS maximum duration of a run, in seconds; up to 30, rounds are shorter and none are added
 * @param connections connections of both loads
 */
export async function found(
  us: number,
  runs: number,
  limitS: number,
  connections: number,
): Promise<void> {
  const options = ["-c", String(connections), ...limitS <= 30 ? SHORT : []];
  let count = 0;
  const estimates: number[] = [];
  const truths: number[] = [];
  for (let i = 1; i <= runs; i++) {
    const before = await loop(us);
    const report = await versus(us, options);
    const changes = changesOf(report);
    const [cost] = changes;
    if (cost?.verdict === "slower" && cost.metric === "serverCpuUs") count++;
    const truth = (before + await loop(us)) / 2; // by the machine's speed before and after
    const estimate = (cost?.base ?? NaN) * ((cost?.ratio ?? NaN) - 1);
    estimates.push(estimate);
    truths.push(truth);
    say(
      `${i}: ${changes.map(describe).join("; ")}; ${estimate.toFixed(2)} us of ${
        truth.toFixed(2)
      }; ${lengthOf(report)}; found so far: ${count}`,
    );
  }
  say(
    `found ${us} us at ${connections} connections: ${count} of ${runs}; median estimate ${
      median(estimates).toFixed(2)
    } us of ${median(truths).toFixed(2)}`,
  );
}

/** Returns the report of `versus text` for a server and one that waits some microseconds longer. */
async function versus(us: number, options: readonly string[]): Promise<Report> {
  await using sandbox = await Sandbox.create();
  const waiting = (id: string, waitUs: number): Promise<string> =>
    writeServer(sandbox, id, {
      scenario: "text",
      program: [SERVER],
      env: { BUSY_US: String(waitUs) },
    });
  const [base, head] = [await waiting("base", 0), await waiting("head", us)];
  const servers = ["--server", base, "--base", base, "--head", head];
  const { code, stderr } = await sandbox.run(
    ["versus", "text", ...servers, ...options, ...ONLY_TIMES],
    LONG_TIMEOUTS,
  );
  const [report] = await sandbox.reports() as unknown as Report[];
  if (code !== 0 || report === undefined) throw new Error(stderr);
  return report;
}

/** Returns the actual microseconds of such a wait, in a loop without a network. */
async function loop(us: number): Promise<number> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", SERVER, "loop", String(us)],
  }).output();
  return Number(new TextDecoder().decode(stdout));
}
