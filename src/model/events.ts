/** Events of a run, as data. src/view/progress.ts turns them into text. */
import type { CostGroup } from "./costs.ts";
import type { Block, BlockResult } from "./block.ts";
import type { Result } from "./derived.ts";
import type { FaultId } from "./fault.ts";
import type { Trial } from "./experiment.ts";
import type { TrialResult } from "./raw.ts";
import type { CpuProfile, Profile } from "./profile.ts";
import type { Report } from "./report.ts";
import type { OneOf } from "./schema.ts";

/** An activity other than a trial. It lasts until the next event. */
export type Phase = OneOf<{
  database: object;
  fastest: object;
  /** Before the run, compares the response times of an open loop with queueing theory at this rate. */
  "open-check": { perS: number };
  profiling: { server: string; scenario: string };
  counting: { servers: readonly string[]; scenario: string };
  costs: { round: number; groups: readonly CostGroup[] };
  /** Measures the ceiling of a load generator: its rate against the null server. */
  ceiling: { generator: string } & Counted;
  fault: { server: string; fault: FaultId } & Counted;
  /**
   * Builds the server with this name. `command` runs, and has printed `line` last; both are null before.
   * `tookS` is the time since the start of the build, in seconds.
   */
  building: { server: string; command: string | null; line: string | null; tookS: number };
}>;

/** The position of an item in a series, from 1, and the number of items. */
interface Counted {
  readonly place: number;
  readonly of: number;
}

/** A message that stays on the screen. It contains the names of servers, not their ids. */
export type Note = OneOf<{
  database: { label: string; isEmbedded: boolean };
  building: { server: string };
  /** Another process of Stampede builds the server, or uses a build that this process must replace. */
  "build-in-use": { server: string };
  /** `bytes` is the size of the build's folder in the cache. */
  built: { server: string; tookS: number; bytes: number };
  unpinned: { reason: string };
  /** The reference server cannot be measured, so relative CPU stays unknown. */
  "no-reference": { server: string; reason: string };
  /** The ceiling of a load generator in responses per second. If it is unknown, `problem` says why. */
  ceiling: { generator: string; responsesPerS: number | null; problem: string | null };
  /** The load generator of `scenarios`, which no other supports; if null, of all other scenarios. */
  loading: { generator: string; scenarios: readonly string[] | null };
  /** `generator` drives these, as those in `limited` would be the bottleneck; `isKept`: chosen earlier. */
  "taken-over": {
    scenarios: readonly string[];
    limited: readonly string[];
    generator: string;
    isKept: boolean;
  };
  /** Parts of a request in a generator's command line, which other users of the machine can read. */
  exposed: { generator: string; parts: readonly ("query" | "headers")[] };
  /** Responses come in waves. `generators` count the last, partial wave wrongly; `knows` does not. */
  waves: { scenarios: readonly string[]; generators: readonly string[]; knows: string };
}>;

/** Why the run measures more than it first planned. */
export type WhyMore = OneOf<{
  pilot: { generators: readonly string[] };
  width: { round: number; width: number };
  verdict: { rounds: number; scenarios: readonly string[] };
  scale: { scenario: string; what: "shards" | "connections" };
  confirm: { round: number; scenarios: readonly string[] };
  /** Tests whether a server meets an SLO at a rate. If `isFresh`, its process had no load before. */
  search: { variant: string; scenario: string; perS: number; isFresh: boolean };
  /** Measures response times at fractions of the capacity, which is `perS`. */
  curve: { variant: string; scenario: string; perS: number };
}>;

/** Windows and slices to measure. In each round the windows come first. */
export interface Plan {
  readonly trials: readonly Trial[];
  readonly blocks: readonly Block[];
}

/** One event of a run. */
export type RunEvent = OneOf<{
  phase: { phase: Phase };
  note: { note: Note };
  /** The plan of the first rounds. At most `mostAddedS` seconds may be added to it. */
  plan: { plan: Plan; mostAddedS: number };
  /** Additions to the plan. `mostAddedS` is null for the previous maximum minus their time. */
  more: { plan: Plan; why: WhyMore; mostAddedS: number | null };
  start: { trial: Trial };
  /** A trial has ended. `result` is derived from the window of this trial only. */
  result: { trialResult: TrialResult; result: Result };
  block: { block: Block };
  sliced: { blockResult: BlockResult };
  /** A server was profiled, or could not be. `threads` has V8's profile of each thread. */
  profiled: { profile: Profile; threads: readonly CpuProfile[] };
  report: { report: Report };
}>;
