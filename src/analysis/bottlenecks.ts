/** Derives how busy each component was, and the bottleneck (rules: docs/methodology.md). */
import type {
  Bottleneck,
  BottleneckKind,
  Component,
  ComponentEvidence,
  Evidence,
  Reason,
} from "../model/derived.ts";
import type { Load } from "../model/experiment.ts";
import { requestsPerS, responsesOf } from "../model/figures.ts";
import type { TrialResult, Usage, WindowRecord } from "../model/raw.ts";
import { sum, typical } from "../stats/median.ts";

const COMPONENTS = ["server", "database", "generator"] as const;

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
/** Gain of a scale test, as a share, above which shards or connections were the bottleneck. */
const SCALE_GAIN = 0.05;
/** Share of busy connections, by Little's law, below which the generator was the bottleneck. */
const LITTLE_SATURATION = 0.85;
/** Idle share of CPU time below which the machine counts as fully used. */
const NO_IDLE = 0.05;
/** Idle share of CPU time below which the machine is crowded: components compete for processors. */
const CROWDED_IDLE = 0.1;
/** If other programs use at least this many cores on a crowded machine, it is the bottleneck. */
const OTHER_CORES = 0.5;
/** If a virtual machine's host takes this share of CPU time, the machine only seems idle. */
const STEAL_SHARE = 0.1;
/**
 * Share of time of its busiest thread, waits included, from which on a program is nearly saturated. In
 * an open loop, the only nearly saturated program is the bottleneck. In a closed loop, a scale test decides.
 */
const NEARLY_FULL = 0.9;
/**
 * If a program wants less CPU time than this, other programs cannot have slowed it down: it waits for a
 * timer, for example. A share of time for its busiest thread, a number of cores for the program.
 */
const HARDLY_BUSY = 0.2;
/** If a program uses less CPU time than this, it is not the bottleneck. Units as {@linkcode HARDLY_BUSY}. */
const NOT_BUSY = 0.7;

/** Finds the bottleneck of a result from its windows and scale tests. */
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

/** Decides the bottleneck at a rate in requests per second. A hidden database cannot be measured. */
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
  // An unknown machine counts as idle.
  const { idle, steal, otherCores } = machine ?? { idle: 1, steal: 0, otherCores: 0 };
  const bottleneck = (kind: BottleneckKind, ...reasons: Reason[]) =>
    ({ kind, reasons, needsScaleTest: null }) as const;
  const component = (name: Component): Reason => {
    const { cores = null, busiestThread = null, runQueueWait = null } = evidence[name] ?? {};
    return { kind: "busy", component: name, cores, busiestThread, runQueueWait };
  };

  const ceilingPerS = evidence.ceilingPerS ?? Infinity;
  const isAtCeiling = evidence.isCeilingReached && rate >= CEILING_SATURATION * ceilingPerS;
  const full = COMPONENTS.filter((name) =>
    isFull(evidence[name], cores[name]) || (name === "generator" && isAtCeiling)
  );
  const [first] = full;
  const reasons = full.map(component);
  if (full.includes("generator") && full.length > 1) {
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
  if (first === "generator" && isAtCeiling) {
    return bottleneck(first, ...reasons, {
      kind: "near-ceiling",
      ceilingShare: ceilingPerS / rate,
    });
  }
  if (first !== undefined) return bottleneck(first, ...reasons);

  if (evidence.server === null && evidence.generator !== null) {
    return bottleneck("unknown", { kind: "server-unknown" }, component("generator"));
  }
  const known = COMPONENTS.filter((name) => evidence[name]);
  if (known.length === 0 || known.some((name) => evidence[name]?.busiestThread === null)) {
    return bottleneck("unknown", { kind: "system-silent" });
  }
  const all = known.map(component);
  const isCrowded = idle < CROWDED_IDLE;
  if (!isDatabaseHidden && known.every((name) => isHardlyBusy(evidence[name]))) {
    return bottleneck("idle", { kind: "all-idle", idle: machine?.idle ?? null });
  }
  if (otherCores >= OTHER_CORES && isCrowded) {
    return bottleneck("machine", { kind: "others-busy", cores: otherCores }, ...all);
  }
  const crowded = COMPONENTS.filter((name) => wantsMore(evidence[name], cores[name], isCrowded));
  if (crowded.length === 1) {
    const [only = "server"] = crowded;
    return bottleneck(only, component(only), { kind: "waited-for-processor" });
  }
  if (steal >= STEAL_SHARE) return bottleneck("machine", { kind: "stolen", share: steal }, ...all);
  if (idle < NO_IDLE) {
    return bottleneck("machine", { kind: "machine-in-use", used: 1 - idle }, ...all);
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
    const [only] = nearly;
    return nearly.length === 1 && only !== undefined
      ? bottleneck(only, component(only))
      : bottleneck("unknown", ...all);
  }
  if (connectionsGain === null) {
    return { ...bottleneck("unknown", ...all), needsScaleTest: "connections" };
  }
  const kind = connectionsGain > SCALE_GAIN ? "connections" : "unknown";
  return bottleneck(kind, { kind: "connections-changed", gain: connectionsGain }, ...all);
}

function isFull(component: ComponentEvidence | null, cores: number): boolean {
  return component !== null && ((component.busiestThread ?? 0) >= THREAD_SATURATION ||
    component.cores >= CORES_SATURATION * cores);
}

/**
 * Returns whether a program would have been saturated if it had never waited for a processor. Waits of
 * threads other than the busiest count only on a crowded machine: elsewhere, idle processors were free.
 */
function wantsMore(
  component: ComponentEvidence | null,
  cores: number,
  isCrowded: boolean,
): boolean {
  const wanted = isCrowded ? component?.wantedCores ?? 0 : 0;
  return demand(component) >= THREAD_SATURATION || wanted >= CORES_SATURATION * cores;
}

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

/** Share of time: a ceiling counts if the generator's busiest thread reaches it, the null server's not. */
const NOT_SATURATED = 0.85;

/** Maximum mean latency for Little's law, as a share of the window. Longer responses are too few. */
const LONG_RESPONSE = 0.1;

/** Returns how busy each component was; without the machine's `cores`, that of other programs is null. */
export function evidenceOf(trialResults: readonly TrialResult[], cores: number | null): Evidence {
  const known = trialResults.filter((one): one is MeasuredTrial => one.window !== null);
  const measured = known.filter(({ trial }) => trial.purpose === "measure");
  const scale = trialResults.filter(({ trial }) => trial.purpose === "scale");
  const ceiling = measured.find(({ window }) => window.ceiling !== null)?.window.ceiling ?? null;
  const usages = measured.flatMap(({ window }) => window.usage ?? []);
  return {
    server: componentOf(usages, "server"),
    database: componentOf(usages, "database"),
    generator: componentOf(usages, "generator"),
    machine: cores === null ? null : machineOf(usages, cores),
    little: typical(measured, little),
    ceilingPerS: ceiling?.responsesPerS ?? null,
    // Otherwise the null server or the machine limited the ceiling.
    isCeilingReached: ceiling && (ceiling.nullServerBusiest ?? 1) < NOT_SATURATED &&
      (ceiling.generatorBusiest ?? 0) >= NOT_SATURATED,
    scaleGain: gainOf(scale, ({ shards }) => shards),
    connectionsGain: gainOf(scale, ({ connections }) => connections),
  };
}

type MeasuredTrial = TrialResult & { readonly window: WindowRecord };

/** Returns the share of busy connections; null in an open loop: it opens more than it needs. */
function little({ trial: { load }, window: { measurement } }: MeasuredTrial): number | null {
  const { latency, durationS } = measurement;
  const meanS = (latency?.meanUs ?? Infinity) / 1e6;
  if (load.open !== null || meanS > LONG_RESPONSE * durationS) return null;
  return responsesOf(measurement) / durationS * meanS / load.connections;
}

function componentOf(usages: readonly Usage[], name: Component): ComponentEvidence | null {
  const cores = typical(usages, (usage) => coresOf(usage, name));
  if (cores === null) return null;
  return {
    cores,
    wantedCores: typical(usages, (usage) => {
      const [used, waitedUs] = [coresOf(usage, name), usage[name]?.waitedUs ?? null];
      return waitedUs === null || used === null ? null : used + waitedUs / 1e6 / usage.durationS;
    }),
    busiestThread: typical(usages, (usage) => usage[name]?.busiestThread ?? null),
    runQueueWait: typical(usages, (usage) => usage[name]?.runQueueWait ?? null),
  };
}

/** Returns medians of idle share, stolen share and cores of other programs; null if unknown. */
export function machineOf(usages: readonly Usage[], cores: number): Evidence["machine"] {
  const idle = typical(usages, ({ machine }) => machine?.idle ?? null);
  const steal = typical(usages, ({ machine }) => machine?.steal ?? null);
  if (idle === null || steal === null) return null;
  const otherCores = typical(usages, (usage) => {
    if (usage.machine === null) return null;
    const known = sum(COMPONENTS.map((name) => coresOf(usage, name) ?? 0));
    return Math.max(0, cores * (1 - usage.machine.idle - usage.machine.steal) - known);
  });
  return { idle, steal, otherCores: otherCores ?? 0 };
}

function coresOf(usage: Usage, name: Component): number | null {
  const used = usage[name];
  return used && (used.userUs + used.systemUs) / 1e6 / usage.durationS;
}

/**
 * Returns the smallest gain over pairs of neighbouring windows, because rates also vary by chance; null if a
 * window of a pair failed: fewer pairs are weaker evidence.
 */
function gainOf(
  trialResults: readonly TrialResult[],
  amountOf: (load: Load) => number,
): number | null {
  const gains: number[] = [];
  for (let i = 0; i + 1 < trialResults.length; i += 2) {
    const [first, second] = trialResults.slice(i, i + 2) as [TrialResult, TrialResult];
    const [few, many] = [amountOf(first.trial.load), amountOf(second.trial.load)];
    if (few === many) continue;
    const [one, two] = few < many ? [first, second] : [second, first];
    if (one.window === null || two.window === null) return null;
    gains.push(requestsPerS(two.window) / requestsPerS(one.window) - 1);
  }
  return gains.length === 0 ? null : Math.min(...gains);
}
