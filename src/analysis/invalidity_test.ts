import { match, strictEqual } from "node:assert/strict";
import type { DatabaseWork, Measurement, TrialResult, WitnessRecord } from "../model/raw.ts";
import { invalidity, statementsPerAnswer } from "./invalidity.ts";

const MEASUREMENT = {
  durationS: 1,
  statuses: { "200": 10_000 },
  allAnswers: 15_000,
  transportErrors: 0,
  timeouts: 0,
  wrongAnswers: 0,
  wrongAnswer: null,
} as Partial<Measurement> as Measurement;
const WITNESS = {
  answers: 60,
  allAnswers: 80,
  wrongAnswers: 0,
  wrongAnswer: null,
  errors: 0,
} as Partial<WitnessRecord> as WitnessRecord;
/** All answers of a load, its warm-up and the witness's included. */
const ALL = 15_080;
const CONNECTIONS = 9;

/** A window: what the generator saw, what the witness saw, and the statements that were executed. */
function result(
  measurement: Partial<Measurement> = {},
  witness: Partial<WitnessRecord> = {},
  calls: readonly number[] | null = null,
): TrialResult {
  const database: DatabaseWork | null = calls &&
    { statements: calls.map((calls) => ({ query: "SELECT", calls })) };
  const window = {
    measurement: { ...MEASUREMENT, ...measurement },
    witness: { ...WITNESS, ...witness },
    database,
  };
  const trial = { purpose: "measure", load: { connections: CONNECTIONS } };
  return { trial, window, failure: null } as unknown as TrialResult;
}

/** Five rounds without fault, and a bad one among them. */
const oneOfSix = (bad: TrialResult): TrialResult[] => [
  result(),
  result(),
  result(),
  bad,
  result(),
  result(),
];

Deno.test("a wrong answer in one of six rounds makes all of them invalid", () => {
  strictEqual(invalidity(oneOfSix(result()), null), null);
  strictEqual(
    invalidity(oneOfSix(result({ wrongAnswers: 2, wrongAnswer: "Hello wurld" })), null),
    "2 wrong answers under load, such as Hello wurld",
  );
  strictEqual(
    invalidity(oneOfSix(result({}, { wrongAnswers: 3, wrongAnswer: "expected a, got b" })), null),
    "the witness met 3 wrong answers under load: expected a, got b",
  );
});

Deno.test("a failed verification is the reason, a failed window is none", () => {
  const failed = (kind: string): TrialResult =>
    ({ ...result(), window: null, failure: { kind, message: "it said" } }) as TrialResult;
  strictEqual(invalidity(oneOfSix(failed("verification")), null), "it said");
  strictEqual(invalidity(oneOfSix(failed("window")), 0), null);
});

Deno.test("errors of every kind count together, those of the witness too", () => {
  const errors = (count: number): TrialResult =>
    result({ statuses: { "200": 9940 - count, "500": count } }); // and 60 of the witness
  strictEqual(invalidity([errors(10)], null), null, "one in a thousand");
  match(invalidity(oneOfSix(errors(11)), null) ?? "", /^0\.1 % .* failed: 11 with status 500$/);
  const mixed = result(
    { statuses: { "200": 9970, "503": 5, "404": 1 }, transportErrors: 10, timeouts: 8 },
    { answers: 0, errors: 6, error: "status 500" },
  );
  strictEqual(
    invalidity([mixed], null),
    "0.3 % of the requests failed: 1 with status 404, 5 with status 503, 10 transport errors, " +
      "8 timeouts, 6 of the witness's, such as status 500",
  );
  match(
    invalidity([result({}, { errors: 11, error: "reset" })], null) ?? "",
    /failed: 11 of the witness's, such as reset$/,
  );
});

Deno.test("a redirect is an error, any 2xx is none", () => {
  strictEqual(invalidity([result({ statuses: { "204": 100, "200": 1 } })], null), null);
  match(invalidity([result({ statuses: { "302": 100 } })], null) ?? "", /100 with status 302/);
});

Deno.test("a window without any answer of the generator is invalid, whatever the witness got", () => {
  strictEqual(invalidity([result({ statuses: {} })], null), "no answer in a whole window");
  match(invalidity([result({ statuses: {}, timeouts: 9 })], null) ?? "", /^13\.0 % .* 9 timeouts$/);
});

Deno.test("statements are counted over all loads, for every answer of them", () => {
  const windows = [result({}, {}, [ALL, 2 * ALL]), result({}, {}, [0])]
    .flatMap(({ window }) => window ?? []);
  strictEqual(statementsPerAnswer(windows), 1.5);
  strictEqual(statementsPerAnswer([]), null);
});

Deno.test("nobody is blamed for statements that nobody counts", () => {
  const counted = result({}, {}, [5 * ALL]);
  match(invalidity([counted, counted], 1) ?? "", /5\.000 statements/);
  strictEqual(invalidity([counted, result()], 1), null);
  strictEqual(invalidity([counted], null), null);
});

Deno.test("a server asks the database once for each answer, within 2 %", () => {
  const of = (perAnswer: number): string | null =>
    invalidity(oneOfSix(result()).map(() => result({}, {}, [perAnswer * ALL])), 1);
  strictEqual(of(1), null);
  strictEqual(of(1.02), null);
  strictEqual(of(0.98), null);
  strictEqual(of(1.03), "the database executed 1.030 statements for each answer, not 1");
  strictEqual(of(0.97), "the database executed 0.970 statements for each answer, not 1");
});

Deno.test("requests that are under way at the end of a load are allowed for", () => {
  const short = { statuses: { "200": 100 }, allAnswers: 100 };
  const of = (calls: number): string | null =>
    invalidity([result(short, { allAnswers: 0 }, [calls])], 1);
  strictEqual(of(100 + CONNECTIONS + 1 + 1), null, "each connection and the witness");
  match(of(100 + CONNECTIONS + 1 + 3) ?? "", /1\.130 statements/);
});

Deno.test("a scenario without a database executes nothing there", () => {
  strictEqual(invalidity([result({}, {}, [])], 0), null);
  match(invalidity([result({}, {}, [ALL / 10])], 0) ?? "", /0\.100 statements .*, not 0$/);
});
