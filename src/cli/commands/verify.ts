import { SCENARIOS } from "../../../scenarios/mod.ts";
import { conform } from "../../conformance/conform.ts";
import { Failure, UsageError } from "../../model/errors.ts";
import type { Scenario } from "../../model/scenario.ts";
import type { Server } from "../../model/server.ts";
import type { Available } from "../../analysis/servers.ts";
import type { RunningServer } from "../../target/launch.ts";
import { Toolchain } from "../../target/toolchain.ts";
import { verify } from "../../target/verify.ts";
import { isUrl } from "../../experiment/url_target.ts";
import { choose, chooseServers, type ServerChoice } from "../../experiment/choose.ts";
import { untilInterrupted } from "../interruption.ts";
import { cacheFolder, prepareServers } from "../../engine/prepare.ts";
import { say } from "../print.ts";
import { readScenario } from "../../experiment/scenario_file.ts";
import { progressOf } from "../screen.ts";
import { serverEnv, type ServerOptions, Stage } from "../../engine/live_lab.ts";

/** Options of `verify`. */
export interface VerifyOptions extends ServerOptions, ServerChoice {
  readonly cache?: string;
  /** Modules. */
  readonly scenario?: readonly string[];
}

/** What became of one check of one server, or of the server itself. */
export interface Judgement {
  readonly status: "pass" | "warn" | "fail" | "skip";
  /** What was checked and, unless it passed, what is wrong with it. */
  readonly text: string;
}

const WORDS = { pass: "pass", warn: "warn", fail: "FAIL", skip: "skip" } as const;

/** `verify`: every check of the chosen scenarios against the chosen servers, without any load. */
export async function verifyServers(
  scenarioIds: readonly string[],
  options: VerifyOptions,
): Promise<number> {
  const abort = untilInterrupted();
  if (scenarioIds.some(isUrl)) {
    throw new UsageError(
      "Cannot verify a URL: nobody knows what is right there; see bench --scenario",
    );
  }
  const files = await Promise.all((options.scenario ?? []).map(readScenario));
  const isAll = scenarioIds.length === 0 && files.length === 0;
  const named = isAll || scenarioIds.length > 0 ? choose("scenario", scenarioIds, SCENARIOS) : [];
  const scenarios = [...named, ...files];
  const targets = await chooseServers(options);
  const progress = progressOf(targets.length);
  await using stage = await Stage.open({
    options,
    needsDatabase: scenarios.some(({ queries }) => queries > 0),
    env: serverEnv(options),
    onDatabase: (label) => say(`Using ${label}`),
  });
  const servers = await prepareServers(targets, {
    scope: stage.scope,
    toolchain: new Toolchain(),
    abort,
    cache: cacheFolder(options.cache),
    onPhase: (text) => progress.phase(text),
    onNote: (text) => progress.note(text),
  });
  progress.close();
  const count = { pass: 0, warn: 0, fail: 0, skip: 0 };
  for (const server of servers) {
    for await (const { status, text } of judge(stage, server, scenarios, abort)) {
      count[status]++;
      say(`${WORDS[status]}  ${server.target.id} ${text}`);
    }
  }
  const skipped = servers.filter((server) => server.skipped !== null)
    .map(({ target }) => target.id).join(", ");
  say(
    `${count.pass} passed, ${count.warn} warned, ${count.fail} failed${
      skipped && `; skipped: ${skipped}`
    }`,
  );
  if (count.pass + count.warn + count.fail > 0) return count.fail === 0 ? 0 : 1;
  say("Nothing was checked");
  return 1;
}

/**
 * Starts one server and checks it: of the scenarios, those that it implements, and whatever else
 * applies to it. A server that cannot be had, built or started is one judgement.
 *
 * @throws the reason of `abort`.
 */
export async function* judge(
  stage: Stage,
  { target, skipped, failure }: Available,
  scenarios: readonly Scenario[],
  abort: AbortSignal = new AbortController().signal,
): AsyncGenerator<Judgement> {
  if (skipped !== null) return yield { status: "skip", text: `skipped: ${skipped}` };
  if (failure !== null) return yield { status: "fail", text: `build: ${failure}` };
  const own = scenarios.filter(({ id }) => id in target.scenarios);
  if (own.length === 0) {
    const ids = scenarios.map(({ id }) => id).join(", ");
    return yield { status: "skip", text: `implements none of ${ids}` };
  }
  const started = await start(stage, target, abort);
  if (started instanceof Failure) {
    return yield { status: "fail", text: `start: ${started.message}` };
  }
  await using server = started;
  for (const scenario of own) {
    const { results } = await verify(server.origin, scenario, stage.facts, abort);
    for (const { name, problem } of results) {
      const what = `${scenario.id}: ${name}`;
      yield problem === null
        ? { status: "pass", text: what }
        : { status: "fail", text: `${what}: ${problem}` };
    }
  }
  // Nothing is asked of routes that were not chosen: there may be no database.
  const ids = [...own.map(({ id }) => id), "text"].filter((id) => id in target.scenarios);
  const part = { ...target, scenarios: Object.fromEntries(ids.map((id) => [id, {}])) };
  for await (
    const { id, name, status, message } of conform(part, server.origin, stage.facts, abort)
  ) {
    yield { status, text: `${id}: ${name}${message === null ? "" : `: ${message}`}` };
  }
}

async function start(
  stage: Stage,
  target: Server,
  abort: AbortSignal,
): Promise<RunningServer | Failure> {
  try {
    return await stage.launch(target);
  } catch (error) {
    abort.throwIfAborted();
    if (error instanceof Failure) return error;
    throw error;
  }
}
