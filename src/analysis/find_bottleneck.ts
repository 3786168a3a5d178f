import type {
  Bottleneck,
  BottleneckKind,
  Component,
  ComponentEvidence,
  Evidence,
  Reason,
} from "../model/derived.ts";
import type { TrialResult } from "../model/raw.ts";
import { typical } from "./estimate_rounds.ts";
import { evidenceOf } from "./evidence.ts";
import { requestsPerS } from "./figures.ts";

/** How many cores each component may use. */
export interface Cores {
  /** All of the machine's; null if Stampede may not use all, since the rest tells nothing then. */
  readonly machine: number | null;
  /** Of a server whose threads take turns, no more than run at a time. */
  readonly server: number;
  readonly database: number;
  readonly generator: number;
}

/** Share of the time that a thread runs from which on it counts as saturated. */
const THREAD_SATURATION = 0.95;
/** Share of the cores that a program may use from which on it counts as saturated. */
const CORES_SATURATION = 0.9;
/** Share of its ceiling from which on a generator counts as saturated. */
const CEILING_SATURATION = 0.9;
/** A rate that twice the shards, or connections, raise by more than this was theirs. */
const SCALE_GAIN = 0.05;
/** Below this Little's law says that connections lay idle in the generator. */
const LITTLE_SATURATION = 0.85;
/** A machine with less idle time than this has no core left. */
const NO_IDLE = 0.05;
/** With less idle time than this, components are in each other's way. */
const CROWDED = 0.1;
/** Cores that programs use which do not take part: with more, a saturated component is not saturated by itself. */
const OTHERS = 0.5;
/** Of the CPU time that a machine's host takes: with more, components only look idle. */
const STOLEN = 0.1;
/** In an open loop, which no scale test tells of, the only program that wants so much of the time is the bottleneck. */
const NEARLY_FULL = 0.9;
/**
 * A program that uses or wants less than this of a core cannot be held up by others: what it waits for is something
 * else, such as a timer.
 */
const HARDLY_BUSY = 0.2;
/** A program that uses less than this of a core, and by its busiest thread of the time, is no bottleneck. */
const NOT_BUSY = 0.7;

const COMPONENTS = ["server", "database", "generator"] as const;

/**
 * What the bottleneck of a result was, from all its windows.
 *
 * @param usesDatabase whether the scenario asks a database
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

/** What else decides how evidence is read. */
export interface Circumstances {
  readonly isDatabaseHidden?: boolean;
  readonly isOpen?: boolean;
}

/**
 * Names the program that is saturated of parallelism; the rules and how their thresholds were
 * found are in docs/methodology.md.
 *
 * @param rate requests per second
 * @param circumstances whether a database takes part whose processes cannot be seen from here, and whether
 *   requests were sent at a rate
 */
export function decide(
  evidence: Evidence,
  rate: number,
  cores: Cores,
  { isDatabaseHidden = false, isOpen = false }: Circumstances = {},
): Omit<Bottleneck, "evidence"> {
  const { machine, little, scaleGain, connectionsGain } = evidence;
  const bottleneck = (
    kind: BottleneckKind,
    ...reasons: Reason[]
  ): Omit<Bottleneck, "evidence"> => ({
    kind,
    reasons,
    needsScaleTest: null,
  });
  const component = (name: Component): Reason => busy(name, evidence[name]);

  const full = COMPONENTS.filter((name) =>
    isFull(evidence[name], cores[name]) || (name === "generator" && isAtCeiling(evidence, rate))
  );
  if (full.includes("generator") && full.length > 1) {
    if (scaleGain === null) {
      const reasons = [...full.map(component), { kind: "only-shards-tell" } as const];
      return { kind: "unknown", reasons, needsScaleTest: "shards" };
    }
    const isGenerator = scaleGain > SCALE_GAIN;
    const [other = "server"] = full.filter((name) => name !== "generator");
    const change: Reason = { kind: "shards-changed", gain: scaleGain };
    return bottleneck(isGenerator ? "generator" : other, ...full.map(component), change);
  }
  if (full.length > 0) {
    const [first = "server"] = full;
    return bottleneck(first, ...full.map(component), ...ceilingReason(evidence, rate, first));
  }

  if (evidence.server === null && evidence.generator !== null) {
    return bottleneck("unknown", { kind: "server-unknown" }, component("generator"));
  }
  const known = COMPONENTS.filter((name) => evidence[name]);
  if (known.length === 0 || known.some((name) => evidence[name]?.busiestThread === null)) {
    return bottleneck("unknown", { kind: "system-silent" });
  }
  const isCrowded = machine !== null && machine.idle < CROWDED;
  if (!isDatabaseHidden && known.every((name) => isHardlyBusy(evidence[name]))) {
    return bottleneck("idle", { kind: "all-idle", idle: machine?.idle ?? null });
  }
  if (machine !== null && machine.otherCores >= OTHERS && isCrowded) {
    return bottleneck(
      "machine",
      { kind: "others-busy", cores: machine.otherCores },
      ...known.map(component),
    );
  }
  const crowded = COMPONENTS.filter((name) => wantsMore(evidence[name], cores[name], isCrowded));
  if (crowded.length === 1) {
    const [only = "server"] = crowded;
    return bottleneck(only, component(only), { kind: "waited-for-processor" });
  }
  if (machine !== null && machine.steal >= STOLEN) {
    return bottleneck("machine", { kind: "stolen", share: machine.steal }, ...known.map(component));
  }
  if (machine !== null && machine.idle < NO_IDLE) {
    return bottleneck(
      "machine",
      { kind: "machine-in-use", used: 1 - machine.idle },
      ...known.map(component),
    );
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
    return { kind: "unknown", reasons: known.map(component), needsScaleTest: "connections" };
  }
  const isTooFew = connectionsGain > SCALE_GAIN;
  const change: Reason = { kind: "connections-changed", gain: connectionsGain };
  return bottleneck(isTooFew ? "connections" : "unknown", change, ...known.map(component));
}

/** Whether a program ran as much as it can. */
function isFull(component: ComponentEvidence | null, cores: number): boolean {
  if (component === null) return false;
  return (component.busiestThread ?? 0) >= THREAD_SATURATION ||
    component.cores >= CORES_SATURATION * cores;
}

/**
 * Whether a program would have run as much as it can, had it not had to wait for a processor. What all
 * its threads waited counts only on a crowded machine: elsewhere they waited for each other.
 */
function wantsMore(
  component: ComponentEvidence | null,
  cores: number,
  isCrowded: boolean,
): boolean {
  const wanted = isCrowded ? component?.wantedCores ?? 0 : 0;
  return demand(component) >= THREAD_SATURATION || wanted >= CORES_SATURATION * cores;
}

/** Whether a program used, or wanted to use, so much that it may have been the bottleneck. */
function isBusy(component: ComponentEvidence | null, isCrowded: boolean): boolean {
  const used = Math.max(component?.cores ?? 0, isCrowded ? component?.wantedCores ?? 0 : 0);
  return demand(component) >= NOT_BUSY || used >= NOT_BUSY;
}

/** Whether a program would not have run more on a quiet machine. */
function isHardlyBusy(component: ComponentEvidence | null): boolean {
  return demand(component) < HARDLY_BUSY &&
    (component?.wantedCores ?? component?.cores ?? 0) < HARDLY_BUSY;
}

/** How much of the time a program's busiest thread ran or waited to. */
function demand(component: ComponentEvidence | null): number {
  return (component?.busiestThread ?? 0) + (component?.runQueueWait ?? 0);
}

function isAtCeiling({ ceilingPerS, isCeilingReached }: Evidence, rate: number): boolean {
  return isCeilingReached === true && rate >= CEILING_SATURATION * (ceilingPerS ?? Infinity);
}

function ceilingReason(evidence: Evidence, rate: number, kind: BottleneckKind): Reason[] {
  const { ceilingPerS } = evidence;
  if (kind !== "generator" || !isAtCeiling(evidence, rate) || ceilingPerS === null) return [];
  return [{ kind: "near-ceiling", ceilingShare: ceilingPerS / rate }];
}

function busy(component: Component, evidence: ComponentEvidence | null): Reason {
  const { cores = null, busiestThread = null, runQueueWait = null } = evidence ?? {};
  return { kind: "busy", component, cores, busiestThread, runQueueWait };
}
