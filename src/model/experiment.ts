/** What is asked of a run, and what it plans from that. Units stand in the names; null: not set, or not known. */
import { HIGHEST_ROUND } from "./limits.ts";
import { SearchPlan } from "./slo.ts";
import type { Scenario } from "./scenario.ts";
import {
  amount,
  count,
  flag,
  list,
  nullable,
  object,
  oneOf,
  ordinal,
  positive,
  record,
  type Schema,
  type Static,
  text,
  upTo,
} from "./schema.ts";
import type { Server } from "./server.ts";
import { alpn } from "./tls.ts";

/** Every kind of experiment: src/experiment/ has a file for each but `distributed`, which k6 measures. */
export const EXPERIMENT_KINDS = [
  "run",
  "rate",
  "capacity",
  "scaling",
  "noise",
  "versus",
  "generators",
  "preset",
  "distributed",
] as const;
export type ExperimentKind = typeof EXPERIMENT_KINDS[number];

export const VariantRecord = object(
  "Variant",
  "One side of an experiment: what is measured beside the others, and compared with them.",
  {
    id: [text, "Its id."],
    label: [text, "What people call it."],
    server: [text, "Id of its server."],
    generator: [
      text,
      "Id of the load generator that drives it, or `auto`, the fastest one on the machine.",
    ],
    env: [
      record(text),
      "Variables that the server is started with, beside its address and the database's.",
    ],
  },
);
/** A variant as reports hold it: its server by its id. */
export interface VariantRecord extends Static<typeof VariantRecord> {}

/** One side of an experiment: what is measured beside the others, and compared with them. */
export interface Variant extends Omit<VariantRecord, "server"> {
  readonly server: Server;
}

/** How arrivals follow each other. */
export const ARRIVALS = ["poisson", "even"] as const;
export const arrivals: Schema<typeof ARRIVALS[number]> = oneOf(...ARRIVALS);
const ARRIVALS_TEXT = "How they follow each other: at random, or at even times.";

export const OpenPlan = object("OpenPlan", "The rates of open loops.", {
  perS: [record(list(positive)), "Requests a second, by the scenario: each of them is measured."],
  capacities: [
    record(positive),
    "By the scenario, what the slowest server answered a second in a closed loop, where rates were asked for as shares of that; else empty.",
  ],
  arrivals: [arrivals, ARRIVALS_TEXT],
});
export interface OpenPlan extends Static<typeof OpenPlan> {}

export const LoadPlan = object("LoadPlan", "How hard servers are driven, and for how long.", {
  tls: [
    nullable(alpn),
    "What is spoken over TLS, with a certificate made for the run; null: HTTP/1.1 without TLS, or as a URL says.",
  ],
  connections: [
    nullable(list(ordinal)),
    "Each of them is measured. Null leaves them to the scenario, or else to the default.",
  ],
  defaultConnections: [ordinal, "Connections where nothing else is said."],
  shards: [ordinal, "Processes of a load generator, which share the connections."],
  durationS: [positive, "Length of a window."],
  requests: [
    nullable(ordinal),
    "Requests with which a window ends; null: by time, or as the scenario needs.",
  ],
  timeoutS: [positive, "How long one response may take."],
  warmupS: [
    nullable(amount),
    "Load before each window; null leaves it to the scenario and the server, or else to the default.",
  ],
  defaultWarmupS: [amount, "Load before each window, where nothing else is said."],
  open: [
    nullable(OpenPlan),
    "Requests are sent at these rates, whether or not responses have come; null: in closed loops.",
  ],
});
export interface LoadPlan extends Static<typeof LoadPlan> {}

export const SliceDesign = object(
  "SliceDesign",
  "How servers that are alive at once are loaded in turn.",
  {
    durationS: [positive, "Load of each variant at each scenario, in each round, in seconds."],
    sliceMs: [positive, "How long the load stays with a variant at least, in milliseconds."],
    responses: [ordinal, "How many responses it waits for at least."],
  },
);
export interface SliceDesign extends Static<typeof SliceDesign> {}

export const Design = object(
  "Design",
  "How often everything is measured, in which order, and when that is enough.",
  {
    rounds: [ordinal, "Rounds that every variant and scenario gets."],
    maxRounds: [
      ordinal,
      "Rounds are added up to this number where intervals are wider than `width`.",
    ],
    width: [
      amount,
      "Half an interval's width over the median, at which no round is added any more: 0.03 is 3 %.",
    ],
    budgetS: [
      nullable(amount),
      "Seconds that added rounds may take altogether; null: `budgetShare` times what the first ones take.",
    ],
    budgetShare: [amount, "What added rounds may take, of the time that the first ones do."],
    ratiosOnly: [
      flag,
      "Whether only the ratios of variants are to be known well, not their own figures: no windows where slices will do.",
    ],
    slices: [nullable(SliceDesign), "How ratios are measured; null: by windows alone."],
    fallback: [
      nullable(text),
      "The load generator of scenarios at which a variant's would be the bottleneck; null: none takes over.",
    ],
    failOn: [
      nullable(amount),
      "A change for the worse beyond this is measured again before it counts: 0.05 is 5 %; null: none is.",
    ],
    needsAll: [flag, "Whether nothing is measured unless every variant's server is there."],
    pins: [
      flag,
      "Whether server, database and load generator are to have processors of their own.",
    ],
    profileS: [
      nullable(positive),
      "Seconds of load at which each server on V8 is profiled after everything was measured; null: none is.",
    ],
    seed: [count, "Of the order of variants and scenarios."],
  },
);
export interface Design extends Static<typeof Design> {}

export const ExperimentRecord = object(
  "Experiment",
  "What is compared, at what, how hard driven, and by which design.",
  {
    kind: [oneOf(...EXPERIMENT_KINDS), "Which of Stampede's experiments it is."],
    variants: [list(VariantRecord), "What is compared, in order."],
    reference: [
      nullable(VariantRecord),
      "The server whose response to `/` is what costs are counted in, measured in the same slices; null: none.",
    ],
    scenarios: [list(text), "Ids of the scenarios, in order."],
    load: [LoadPlan, "How hard servers are driven, and for how long."],
    design: [Design, "How often everything is measured, and when that is enough."],
    search: [
      nullable(SearchPlan),
      "How the highest rate is looked for, by the kind `capacity`; null in any other.",
    ],
  },
);
/** An experiment as reports hold it: scenarios and servers by their ids. */
export interface ExperimentRecord extends Static<typeof ExperimentRecord> {}

/** What is compared, at what, how hard driven, and by which design. Nothing rewrites one. */
export interface Experiment extends Omit<ExperimentRecord, "variants" | "reference" | "scenarios"> {
  readonly variants: readonly Variant[];
  readonly reference: Variant | null;
  readonly scenarios: readonly Scenario[];
}

export const OpenLoad = object(
  "OpenLoad",
  "Requests that are sent at a rate, whether or not the responses before have come.",
  {
    perS: [positive, "Requests a second."],
    arrivals: [arrivals, ARRIVALS_TEXT],
    seed: [count, "Of their times, where these are random."],
  },
);
export interface OpenLoad extends Static<typeof OpenLoad> {}

export const Load = object("Load", "How hard a server is driven during one window.", {
  connections: [ordinal, "Connections, each with one request under way."],
  shards: [ordinal, "Processes that the load generator uses, which share the connections."],
  warmupS: [amount, "Load before the window at least."],
  mostWarmupS: [
    amount,
    "Load before the window at most: it goes on this long while the rate still climbs.",
  ],
  durationS: [positive, "Length of the window, or with `responses` about that."],
  responses: [
    nullable(ordinal),
    "The window ends with this many responses, whole cycles of the scenario; null: by time alone.",
  ],
  timeoutS: [positive, "How long one response may take."],
  open: [
    nullable(OpenLoad),
    "Null: in a closed loop, each connection sends when it has its response.",
  ],
});
export interface Load extends Static<typeof Load> {}

export const Trial = object("Trial", "One window to be measured, with its place in the run.", {
  index: [count, "Its place in the run, from 0."],
  purpose: [
    oneOf("measure", "scale", "pilot", "search", "confirm"),
    "`scale`: only to see what more shards, or connections, do to the rate; `pilot`: before the first round, to see whether the load generator would be the bottleneck, or where a search begins; `search` and `confirm`: whether an SLO is met at a rate, by a process with load before and by a fresh one. They count for nothing else.",
  ],
  round: [upTo(HIGHEST_ROUND, ordinal), "The round that it belongs to, from 1."],
  variant: [text, "Id of the variant."],
  scenario: [text, "Id of the scenario."],
  generator: [text, "Id of the load generator."],
  load: [Load, "How hard the server is driven."],
  workloadConnections: [
    nullable(ordinal),
    "Connections of its result, where a scale test loads with more; null: those of the load.",
  ],
});
export interface Trial extends Static<typeof Trial> {}
