import { conform } from "../conformance/conform.ts";
import { Failure } from "../model/errors.ts";
import type { Scenario } from "../model/scenario.ts";
import type { OneOf } from "../model/schema.ts";
import type { RunningServer } from "../target/launch.ts";
import { verify } from "../target/verify.ts";
import type { OpenTestbed, PreparedServer } from "./testbed.ts";

/** Outcome of one check of a server, or of preparing the server for its checks. */
export type CheckOutcome = OneOf<{
  /** A check ran on `subject`, such as a scenario; `problem` is null if it found none. */
  checked: {
    status: "pass" | "warn" | "fail";
    subject: string;
    name: string;
    problem: string | null;
  };
  build: { status: "fail"; problem: string };
  start: { status: "fail"; problem: string };
  /** The server cannot run on this machine; `problem` says why. */
  missing: { status: "skip"; problem: string };
  /** The server implements none of the scenarios to check. */
  "nothing-to-check": { status: "skip"; scenarios: readonly string[] };
}>;

/**
 * Starts one server, and checks its scenarios and the rest of the contract (docs/contract.md). If
 * the server is missing, cannot be built or does not start, it yields one outcome that says so.
 */
export async function* checkServer(
  { server, skipped, failure }: PreparedServer,
  { testbed, scenarios, env, signal }: {
    readonly testbed: OpenTestbed;
    readonly scenarios: readonly Scenario[];
    readonly env: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<CheckOutcome> {
  if (skipped !== null) return yield { kind: "missing", status: "skip", problem: skipped };
  if (failure !== null) return yield { kind: "build", status: "fail", problem: failure };
  const own = scenarios.filter(({ id }) => id in server.scenarios);
  if (own.length === 0) {
    const ids = scenarios.map(({ id }) => id);
    return yield { kind: "nothing-to-check", status: "skip", scenarios: ids };
  }
  let started: RunningServer;
  try {
    started = await testbed.launch(server, env);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return yield { kind: "start", status: "fail", problem: error.message };
  }
  await using running = started;
  for (const scenario of own) {
    const { results } = await verify(running.origin, scenario, testbed.facts, signal);
    for (const { name, problem } of results) {
      const status = problem === null ? "pass" : "fail";
      yield { kind: "checked", status, subject: scenario.id, name, problem };
    }
  }
  // Routes that were not chosen get no requests, because they may need a database.
  const ids = [...own.map(({ id }) => id), "text"].filter((id) => id in server.scenarios);
  const part = { ...server, scenarios: Object.fromEntries(ids.map((id) => [id, {}])) };
  const checks = conform(part, running.origin, testbed.facts, signal);
  for await (const { id, name, status, message } of checks) {
    yield { kind: "checked", status, subject: id, name, problem: message };
  }
}
