import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Reason } from "../model/derived.ts";
import type { DatabaseActivity, Measurement, ProbeRecord, TrialResult } from "../model/raw.ts";
import type { Scenario } from "../model/scenario.ts";
import { USUAL } from "../../scenarios/usual.ts";
import { type DatabaseNeed, invalidity, statementsPerResponse } from "./invalidity.ts";

const MEASUREMENT = {
  open: null,
  durationS: 1,
  statuses: { "200": 10_000 },
  allResponses: 15_000,
  transportErrors: 0,
  timeouts: 0,
  wrongResponses: 0,
  wrongResponse: null,
} as Partial<Measurement> as Measurement;
const PROBE = {
  responses: 60,
  allResponses: 80,
  wrongResponses: 0,
  wrongResponse: null,
  errors: 0,
  error: null,
} as Partial<ProbeRecord> as ProbeRecord;
/** Number of responses of a load, including its warm-up and the probe's. */
const ALL = 15_080;
const CONNECTIONS = 9;

const asking = (queries: number, change: Partial<DatabaseNeed> = {}): DatabaseNeed => ({
  queries,
  moreQueries: 0,
  writes: 0,
  ...change,
});

/** Makes a window from the figures of the generator, the probe and the database. */
function trialResult(
  measurement: Partial<Measurement> = {},
  probe: Partial<ProbeRecord> = {},
  calls: readonly number[] | null = null,
): TrialResult {
  const database: DatabaseActivity | null = calls &&
    { statements: calls.map((calls) => ({ query: "SELECT", calls, changed: null })) };
  const window = {
    measurement: { ...MEASUREMENT, ...measurement },
    probe: { ...PROBE, ...probe },
    database,
  };
  const trial = { purpose: "measure", load: { connections: CONNECTIONS } };
  return { trial, window, failure: null } as unknown as TrialResult;
}

/** Five valid rounds and a bad one. */
const oneOfSix = (bad: TrialResult): TrialResult[] => [
  trialResult(),
  trialResult(),
  trialResult(),
  bad,
  trialResult(),
  trialResult(),
];

Deno.test("a wrong response in one of six rounds makes all of them invalid", () => {
  strictEqual(invalidity(oneOfSix(trialResult()), null), null);
  deepStrictEqual(
    invalidity(oneOfSix(trialResult({ wrongResponses: 2, wrongResponse: "Hello wurld" })), null),
    { kind: "wrong-responses", count: 2, example: "Hello wurld" },
  );
  deepStrictEqual(
    invalidity(
      oneOfSix(trialResult({}, { wrongResponses: 3, wrongResponse: "expected a, got b" })),
      null,
    ),
    { kind: "probe-wrong", count: 3, example: "expected a, got b" },
  );
});

Deno.test("a failed verification is the reason, a failed window is none", () => {
  const failed = (kind: string): TrialResult =>
    ({ ...trialResult(), window: null, failure: { kind, message: "it said" } }) as TrialResult;
  deepStrictEqual(invalidity(oneOfSix(failed("verification")), null), {
    kind: "message",
    text: "it said",
  });
  strictEqual(invalidity(oneOfSix(failed("window")), asking(0)), null);
});

/** Makes the reason for a number of failed requests. */
function failed(
  change: Partial<Extract<Reason, { readonly kind: "requests-failed" }>>,
  requests: number,
): Reason {
  const none = {
    statuses: {},
    transportErrors: 0,
    timeouts: 0,
    probeErrors: 0,
    probeError: null,
    ...change,
  };
  const { statuses, transportErrors, timeouts, probeErrors } = none;
  const count = Object.values(statuses).reduce((sum, one) => sum + one, 0) + transportErrors +
    timeouts + probeErrors;
  return { kind: "requests-failed", share: count / requests, ...none };
}

Deno.test("what a server refuses in an open loop is no fault of the measuring, but silence is", () => {
  const open = {} as Measurement["open"];
  strictEqual(
    invalidity([trialResult({ open, statuses: { "200": 900, "503": 100 } })], null),
    null,
  );
  strictEqual(
    invalidity([trialResult({ open, statuses: { "503": 9 } })], null)?.kind,
    "requests-failed",
  );
});

Deno.test("errors of every kind count together, those of the probe too", () => {
  const errors = (count: number): TrialResult =>
    trialResult({ statuses: { "200": 9940 - count, "500": count } }); // and 60 of the probe
  strictEqual(invalidity([errors(10)], null), null, "one in a thousand");
  deepStrictEqual(
    invalidity(oneOfSix(errors(11)), null),
    failed({ statuses: { 500: 11 } }, 10_000),
  );
  const mixed = trialResult(
    { statuses: { "200": 9970, "503": 5, "404": 1 }, transportErrors: 10, timeouts: 8 },
    { responses: 0, errors: 6, error: "status 500" },
  );
  deepStrictEqual(
    invalidity([mixed], null),
    failed({
      statuses: { 404: 1, 503: 5 },
      transportErrors: 10,
      timeouts: 8,
      probeErrors: 6,
      probeError: "status 500",
    }, 10_000),
  );
  deepStrictEqual(
    invalidity([trialResult({}, { errors: 11, error: "reset" })], null),
    failed({ probeErrors: 11, probeError: "reset" }, 10_071),
  );
});

Deno.test("a redirect is an error, any 2xx is none", () => {
  strictEqual(invalidity([trialResult({ statuses: { "204": 100, "200": 1 } })], null), null);
  deepStrictEqual(
    invalidity([trialResult({ statuses: { "302": 100 } })], null),
    failed({ statuses: { 302: 100 } }, 160),
  );
});

Deno.test("a window without any response of the generator is invalid, though the probe got some", () => {
  deepStrictEqual(invalidity([trialResult({ statuses: {} })], null), { kind: "no-response" });
  deepStrictEqual(
    invalidity([trialResult({ statuses: {}, timeouts: 9 })], null),
    failed({ timeouts: 9 }, 69),
  );
});

Deno.test("statements are counted over all loads, for every response of them", () => {
  const windows = [trialResult({}, {}, [ALL, 2 * ALL]), trialResult({}, {}, [0])]
    .flatMap(({ window }) => window ?? []);
  strictEqual(statementsPerResponse(windows), 1.5);
  strictEqual(statementsPerResponse([]), null);
});

const wrong = (perResponse: number, expected: number): Reason => ({
  kind: "wrong-statements",
  perResponse,
  expected,
});

Deno.test("a server is not blamed for statements that were not counted", () => {
  const counted = trialResult({}, {}, [5 * ALL]);
  deepStrictEqual(invalidity([counted, counted], asking(1)), wrong(5, 1));
  strictEqual(invalidity([counted, trialResult()], asking(1)), null);
  strictEqual(invalidity([counted], null), null);
});

Deno.test("a server asks the database once for each response, within 2 %", () => {
  const of = (perResponse: number): Reason | null =>
    invalidity(
      oneOfSix(trialResult()).map(() => trialResult({}, {}, [perResponse * ALL])),
      asking(1),
    );
  strictEqual(of(1), null);
  strictEqual(of(1.02), null);
  strictEqual(of(0.98), null);
  deepStrictEqual(of(1.03125), wrong(1.03125, 1));
  deepStrictEqual(of(0.96875), wrong(0.96875, 1));
});

Deno.test("requests that are under way at the end of a load are allowed for", () => {
  const short = { statuses: { "200": 100 }, allResponses: 100 };
  const of = (calls: number): Reason | null =>
    invalidity([trialResult(short, { allResponses: 0 }, [calls])], asking(1));
  strictEqual(of(100 + CONNECTIONS + 1 + 1), null, "each connection and the probe");
  deepStrictEqual(of(100 + CONNECTIONS + 1 + 3), wrong(1.13, 1));
});

Deno.test("a scenario without a database executes nothing there", () => {
  strictEqual(invalidity([trialResult({}, {}, [])], asking(0)), null);
  deepStrictEqual(invalidity([trialResult({}, {}, [ALL / 10])], asking(0)), wrong(0.1, 0));
});

Deno.test("of a mix, the probe asks for its first kind alone", () => {
  const db = { ...USUAL, queries: 1, writes: 0 } as unknown as Scenario;
  const need = asking(5, { mix: [{ scenario: db, weight: 80 }, { scenario: db, weight: 20 }] });
  // A slow server: every tenth response is the probe's
  const slow = { measurement: { allResponses: 720 }, probe: { allResponses: 80 } };
  const windows = trialResult(slow.measurement, slow.probe, [5 * 720 + 80]);
  strictEqual(invalidity([windows], need), null);
  strictEqual(invalidity([windows], asking(5))?.kind, "wrong-statements");
});
