/** The same load from 1, 2, 4 and 8 runners against the null server. */
import type { DistributedScenario } from "../../src/model/distributed.ts";
import { threadsUs } from "../../src/target/usage.ts";
import type { ClusterCase } from "./case.ts";
import { cpuOfPods } from "./cgroups.ts";
import { ANY_TIME, type Lab, merged, msOf, sumOf } from "./loads.ts";
import { drawScale } from "./scale_chart.ts";
import { type ServerUnderLoad, startServer } from "./servers.ts";

const RUNNERS = [1, 2, 4, 8];
/** Processors of a runner: small machines, eight of which fit on two processors. */
const SIZES = ["200m"];
/** More than two processors can send: k6 needs 193 µs for a request. */
const PER_S = 10_000;
const DURATION_S = 10;
const USERS = 512;
/** Loads of each kind, in turn with the others. */
const TIMES = 1;

/** The loads of one number of runners of one size. */
export interface Step {
  readonly cpu: string;
  readonly runners: number;
  readonly loads: DistributedScenario[];
  /** CPU time in seconds during all loads, starts of runners included. */
  runnersS: number;
  serverS: number;
}

async function runStep(lab: Lab, server: ServerUnderLoad, step: Step): Promise<void> {
  const pods = async (): Promise<number> => {
    const each = await Promise.all(lab.cluster.workers.map(({ name }) => cpuOfPods(name)));
    return each.reduce((total, one) => total + one, 0);
  };
  const usedByServer = (): number => (threadsUs(server.pid) ?? NaN) / 1e6;
  const before = { runnersS: await pods(), serverS: usedByServer() };
  step.loads.push(
    await merged(lab, [
      ...[`${server.origin}/`, ...ANY_TIME, "--rate", String(PER_S), "--users", String(USERS)],
      ...["--duration", String(DURATION_S), "--parallelism", String(step.runners)],
      ...["--runner-cpu", step.cpu],
    ]),
  );
  step.runnersS += await pods() - before.runnersS;
  step.serverS += usedByServer() - before.serverS;
}

async function measure(lab: Lab): Promise<string> {
  await using server = await startServer(lab.scope, lab.cluster, "null");
  const steps = SIZES.flatMap((cpu) =>
    RUNNERS.map((runners): Step => ({ cpu, runners, loads: [], runnersS: 0, serverS: 0 }))
  );
  for (let time = 0; time < TIMES; time++) {
    for (const step of steps) await runStep(lab, server, step);
  }
  lab.say(`Asked: ${PER_S} requests/s for ${DURATION_S} s, ${USERS} users`);
  lab.say(
    "| CPUs of a runner | runners | responses/s | each | not sent | p50 ms | p99 ms | CPU s of runners | of the server |",
  );
  lab.say("| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
  for (const { cpu, runners, loads, runnersS, serverS } of steps) {
    const all = sumOf(loads);
    const cells = [
      ...[cpu, runners, Math.round(all.perS)],
      loads.map(({ goodputPerS }) => Math.round(goodputPerS)).join(", "),
      `${(100 * all.dropped / all.offered).toFixed(1)} %`,
      ...[msOf(all, 0.5), msOf(all, 0.99)],
      ...[(runnersS / TIMES).toFixed(1), (serverS / TIMES).toFixed(1)],
    ];
    lab.say(`| ${cells.join(" | ")} |`);
  }
  await Deno.writeTextFile("scale.svg", await drawScale(steps, PER_S));
  return "drawn in scale.svg";
}

export const SCALE: ClusterCase = {
  id: "scale",
  what: "(the rate and the unsent requests of 1, 2, 4 and 8 runners; writes scale.svg)",
  layout: "many",
  isOptional: true,
  run: measure,
};
