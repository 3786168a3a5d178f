/** Finds the bottleneck of a result from its evidence. docs/methodology.md explains the rules. */
import type {
  Bottleneck,
  BottleneckKind,
  Component,
  ComponentEvidence,
  Evidence,
  Reason,
} from "../model/derived.ts";
import { requestsPerS } from "../model/figures.ts";
import type { TrialResult } from "../model/raw.ts";
import { COMPONENTS, evidenceOf } from "./evidence.ts";
import { typical } from "./rounds.ts";

/** Number of cores that each component may use. */
export interface Cores extends Readonly<Record<Component, number>> {
  /** The machine's cores; null if Stampede may not use all: idle time then shows nothing. */
  readonly machine: number | null;
  /** Cores of the server. If its threads take turns, the number of threads that run at the same time. */
  readonly server: number;
}

/** Share of time that a thread must run to count as saturated. */
const THREAD_SATURATION = 0.95;
/** Share of its available cores that a program must use to count as saturated. */
const CORES_SATURATION = 0.9;
/** Share of its ceiling that a generator must reach to count as saturated. */
const CEILING_SATURATION = 0.9;
/** Gain of a scale test, as a share, from which on shards or connections were the bottleneck. */
const SCALE_GAIN = 0.05;
/** Share of busy connections, by Little's law, below which the generator was the bottleneck. */
const LITTLE_SATURATION = 0.85;
/** Idle share of CPU time below which the machine counts as fully used. */
const NO_IDLE = 0.05;
/** Idle share of CPU time below which the machine is crowded: components compete for processors. */
const CROWDED_IDLE = 0.1;
/** If other programs use at least this many cores on a crowded machine, it is the bottleneck. */
const OTHER_CORES = 0.5;
/** Share of CPU time taken by a virtual machine's host that makes it the bottleneck. */
const STEAL_SHARE = 0.1;
/**
 * Minimum share of time in which the busiest thread of a program runs or waits for a processor. From
 * this share on, the program is nearly saturated in an open loop. If only one program is, it is the
 * bottleneck. In a closed loop, a scale test decides instead.
 */
const NEARLY_FULL = 0.9;
/**
 * If a program wants less CPU time than this, other programs cannot have slowed it down. It waits for
 * something else, such as a timer. The value is a share of time for its busiest thread, and a number of
 * cores for the program.
 */
const HARDLY_BUSY = 0.2;
/** If a program uses less CPU time than this, it is not the bottleneck. Units as {@linkcode HARDLY_BUSY}. */
const NOT_BUSY = 0.7;

/**
 * Finds the bottleneck of a result from its windows and scale tests.
 *
 * @param usesDatabase whether the scenario queries a database
 */
export function findBottleneck(
  trialResults: readonly TrialResult[],
  cores: Cores,
  usesDatabase: boolean,
): Bottleneck {
  const measured = trialResults.filter(({ trial }) => trial.purpose === "measure");
  const rate = typical(measured, ({ window }) => window && requestsPerS(window));
  const evidence = evidenceOf(trialResults, cores.machine);
  const isDatabaseHidden = usesDatabase && evidence.database === null;
  const isOpen = measured.some(({ trial }) => trial.load.open !== null);
  return { ...decide(evidence, rate ?? 0, cores, { isDatabaseHidden, isOpen }), evidence };
}

/**
 * Decides what the bottleneck was.
 *
 * @param rate requests per second
 * @param circumstances whether the scenario uses a database with processes that Stampede cannot measure,
 *   and whether the load was an open loop
 */
export function decide(
  evidence: Evidence,
  rate: number,
  cores: Cores,
  { isDatabaseHidden = false, isOpen = false }: {
    readonly isDatabaseHidden?: boolean;
    readonly isOpen?: boolean;
  } = {},
): Omit<Bottleneck, "evidence"> {
  const { machine, little, scaleGain, connectionsGain } = evidence;
  const bottleneck = (
    kind: BottleneckKind,
    ...reasons: Reason[]
  ): Omit<Bottleneck, "evidence"> => ({ kind, reasons, needsScaleTest: null });
  const component = (name: Component): Reason => {
    const { cores = null, busiestThread = null, runQueueWait = null } = evidence[name] ?? {};
    return { kind: "busy", component: name, cores, busiestThread, runQueueWait };
  };

  const ceilingPerS = evidence.ceilingPerS ?? Infinity;
  const isAtCeiling = evidence.isCeilingReached === true &&
    rate >= CEILING_SATURATION * ceilingPerS;
  const full = COMPONENTS.filter((name) =>
    isFull(evidence[name], cores[name]) || (name === "generator" && isAtCeiling)
  );
  const [first] = full;
  if (full.includes("generator") && full.length > 1) {
    const reasons = full.map(component);
    if (scaleGain === null) {
      return {
        ...bottleneck("unknown", ...reasons, { kind: "only-shards-tell" }),
        needsScaleTest: "shards",
      };
    }
    const [other = "server"] = full.filter((name) => name !== "generator");
    const slowest = scaleGain > SCALE_GAIN ? "generator" : other;
    return bottleneck(slowest, ...reasons, { kind: "shards-changed", gain: scaleGain });
  }
  if (first !== undefined) {
    const reasons = full.map(component);
    if (first !== "generator" || !isAtCeiling) return bottleneck(first, ...reasons);
    const ceilingShare = ceilingPerS / rate;
    return bottleneck(first, ...reasons, { kind: "near-ceiling", ceilingShare });
  }

  if (evidence.server === null && evidence.generator !== null) {
    return bottleneck("unknown", { kind: "server-unknown" }, component("generator"));
  }
  const known = COMPONENTS.filter((name) => evidence[name]);
  if (known.length === 0 || known.some((name) => evidence[name]?.busiestThread === null)) {
    return bottleneck("unknown", { kind: "system-silent" });
  }
  const isCrowded = machine !== null && machine.idle < CROWDED_IDLE;
  if (!isDatabaseHidden && known.every((name) => isHardlyBusy(evidence[name]))) {
    return bottleneck("idle", { kind: "all-idle", idle: machine?.idle ?? null });
  }
  if (machine !== null && machine.otherCores >= OTHER_CORES && isCrowded) {
    const reason: Reason = { kind: "others-busy", cores: machine.otherCores };
    return bottleneck("machine", reason, ...known.map(component));
  }
  const crowded = COMPONENTS.filter((name) => wantsMore(evidence[name], cores[name], isCrowded));
  if (crowded.length === 1) {
    const [only = "server"] = crowded;
    return bottleneck(only, component(only), { kind: "waited-for-processor" });
  }
  if (machine !== null && machine.steal >= STEAL_SHARE) {
    return bottleneck("machine", { kind: "stolen", share: machine.steal }, ...known.map(component));
  }
  if (machine !== null && machine.idle < NO_IDLE) {
    const reason: Reason = { kind: "machine-in-use", used: 1 - machine.idle };
    return bottleneck("machine", reason, ...known.map(component));
  }
  if (little !== null && little < LITTLE_SATURATION) {
    return bottleneck("generator", { kind: "connections-idle", little });
  }
  if (COMPONENTS.every((name) => !isBusy(evidence[name], isCrowded))) {
    return isDatabaseHidden
      ? bottleneck("unknown", { kind: "database-hidden" })
      : bottleneck("idle", { kind: "all-idle", idle: machine?.idle ?? null });
  }
  if (isOpen) {
    const nearly = known.filter((name) => demand(evidence[name]) >= NEARLY_FULL);
    const [only] = nearly.length === 1 ? nearly : [];
    return bottleneck(only ?? "unknown", ...(only === undefined ? known : [only]).map(component));
  }
  if (connectionsGain === null) {
    return { ...bottleneck("unknown", ...known.map(component)), needsScaleTest: "connections" };
  }
  const isTooFew = connectionsGain > SCALE_GAIN;
  const change: Reason = { kind: "connections-changed", gain: connectionsGain };
  return bottleneck(isTooFew ? "connections" : "unknown", change, ...known.map(component));
}

/** Returns whether a program was saturated, given the number of cores that it may use. */
function isFull(component: ComponentEvidence | null, cores: number): boolean {
  return component !== null && ((component.busiestThread ?? 0) >= THREAD_SATURATION ||
    component.cores >= CORES_SATURATION * cores);
}

/**
 * Returns whether a program would have been saturated if it had never waited for a processor. The wait
 * of its busiest thread always counts. The waits of all its threads, added up, count only on a crowded
 * machine. On other machines, idle processors could have run these threads.
 */
function wantsMore(
  component: ComponentEvidence | null,
  cores: number,
  isCrowded: boolean,
): boolean {
  const wanted = isCrowded ? component?.wantedCores ?? 0 : 0;
  return demand(component) >= THREAD_SATURATION || wanted >= CORES_SATURATION * cores;
}

/** Returns whether a program used, or wanted, enough CPU time to be the bottleneck. */
function isBusy(component: ComponentEvidence | null, isCrowded: boolean): boolean {
  const used = Math.max(component?.cores ?? 0, isCrowded ? component?.wantedCores ?? 0 : 0);
  return demand(component) >= NOT_BUSY || used >= NOT_BUSY;
}

/** Returns whether a program wanted so little CPU time that others cannot have slowed it down. */
function isHardlyBusy(component: ComponentEvidence | null): boolean {
  return demand(component) < HARDLY_BUSY &&
    (component?.wantedCores ?? component?.cores ?? 0) < HARDLY_BUSY;
}

/** Returns the share of time in which a program's busiest thread ran or waited for a processor. */
function demand(component: ComponentEvidence | null): number {
  return (component?.busiestThread ?? 0) + (component?.runQueueWait ?? 0);
}
