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

/** Number of cores that each component may use. */
export interface Cores {
  /**
   * All cores of the machine; null if Stampede may not use all of them, because idle time then shows nothing.
   */
  readonly machine: number | null;
  /** For a server with threads that take turns, the number that run at the same time. */
  readonly server: number;
  readonly database: number;
  readonly generator: number;
}

/** CPU share at which a thread counts as saturated. */
const THREAD_SATURATION = 0.95;
/** Share of its cores at which a program counts as saturated. */
const CORES_SATURATION = 0.9;
/** Share of its ceiling at which a generator counts as saturated. */
const CEILING_SATURATION = 0.9;
/**
 * Minimum gain of a scale test. If doubling the shards or connections raises the rate by more than this, they
 * were the bottleneck.
 */
const SCALE_GAIN = 0.05;
/** Busy share of connections, by Little's law, below which connections were idle in the generator. */
const LITTLE_SATURATION = 0.85;
/** Idle share below which the machine has no free core. */
const NO_IDLE = 0.05;
/** Idle share below which components compete for processors. */
const CROWDED_IDLE = 0.1;
/** Cores used by other programs from which on a crowded machine counts as the bottleneck. */
const OTHER_CORES = 0.5;
/** Share of CPU time taken by the virtual machine's host from which on components only seem idle. */
const STEAL_SHARE = 0.1;
/**
 * In an open loop, CPU share from which on the only such program is the bottleneck. No scale test is possible
 * there.
 */
const NEARLY_FULL = 0.9;
/**
 * CPU share below which other programs cannot have slowed a program down. It then waits for something else,
 * such as a timer.
 */
const HARDLY_BUSY = 0.2;
/** CPU use below which a program is not the bottleneck: of its busiest thread, and in cores. */
const NOT_BUSY = 0.7;

const COMPONENTS = ["server", "database", "generator"] as const;

/**
 * Finds the bottleneck of a result from all its windows.
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

/** Facts that change how evidence is read. */
export interface Circumstances {
  readonly isDatabaseHidden?: boolean;
  readonly isOpen?: boolean;
}

/**
 * Names the saturated component. docs/methodology.md explains the rules and the origin of their thresholds.
 *
 * @param rate requests per second
 * @param circumstances whether the scenario uses a database with hidden processes, and whether requests were
 * sent at a rate
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
  const isCrowded = machine !== null && machine.idle < CROWDED_IDLE;
  if (!isDatabaseHidden && known.every((name) => isHardlyBusy(evidence[name]))) {
    return bottleneck("idle", { kind: "all-idle", idle: machine?.idle ?? null });
  }
  if (machine !== null && machine.otherCores >= OTHER_CORES && isCrowded) {
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
  if (machine !== null && machine.steal >= STEAL_SHARE) {
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

/** Returns whether a program was saturated. */
function isFull(component: ComponentEvidence | null, cores: number): boolean {
  if (component === null) return false;
  return (component.busiestThread ?? 0) >= THREAD_SATURATION ||
    component.cores >= CORES_SATURATION * cores;
}

/**
 * Returns whether a program would have been saturated without waiting for a processor. The wait of all
 * threads counts only on a crowded machine; otherwise they waited for each other.
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

/** Returns whether a program would not have run more on an idle machine. */
function isHardlyBusy(component: ComponentEvidence | null): boolean {
  return demand(component) < HARDLY_BUSY &&
    (component?.wantedCores ?? component?.cores ?? 0) < HARDLY_BUSY;
}

/** Returns the share of time that a program's busiest thread ran or waited to run. */
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
