import { SCENARIOS } from "../../../scenarios/mod.ts";
import { type CheckOutcome, checkServer } from "../../engine/check_server.ts";
import { assertAsked, assertSpeaks, isAsked } from "../../experiment/compose.ts";
import { alpnOf, serverEnv } from "../../experiment/options.ts";
import { pick, readScenarios, type SelectOptions, selectServers } from "../../experiment/select.ts";
import { isUrl } from "../../experiment/url_target.ts";
import { FAILED, FINE, UsageError } from "../../model/errors.ts";
import { needsDatabase } from "../../model/scenario.ts";
import { printable } from "../../model/text.ts";
import { createProgress } from "../../view/progress.ts";
import { tinted } from "../../view/table.ts";
import type { Io } from "../io.ts";
import { DEFAULT_DB_POOL, openTestbed, type TestbedOptions } from "../run_settings.ts";

/** Returns the outcome of a check of `bench verify` as a phrase, or why the check was not made. */
function describeCheck(check: CheckOutcome): string {
  switch (check.kind) {
    case "checked": {
      const { subject, name, problem } = check;
      return `${subject}: ${name}${problem === null ? "" : `: ${problem}`}`;
    }
    case "build":
    case "start":
      return `${check.kind}: ${check.problem}`;
    case "missing":
      return `skipped: ${check.problem}`;
    case "nothing-to-check":
      return `implements none of ${check.scenarios.join(", ")}`;
  }
}

/** The word and tone of each outcome. */
const SHOWN = {
  pass: ["pass", "good"],
  warn: ["warn", "doubtful"],
  fail: ["FAIL", "bad"],
  skip: ["skip", null],
} as const;

/**
 * Checks the responses of the chosen servers at the chosen scenarios, without load.
 *
 * @throws {UsageError} for a URL, or a server or scenario that does not exist
 */
export async function verifyServers(
  scenarioIds: readonly string[],
  options: TestbedOptions & SelectOptions,
  io: Io,
): Promise<number> {
  const signal = io.stop;
  if (scenarioIds.some(isUrl)) {
    throw new UsageError(
      "Cannot verify a URL, because its right response is unknown: write a scenario, and name it with --scenario",
    );
  }
  const files = await readScenarios(options.scenario ?? [], io.path);
  const isAll = scenarioIds.length === 0 && files.length === 0;
  const named = isAll || scenarioIds.length > 0 ? pick("scenario", scenarioIds, SCENARIOS) : [];
  const alpn = alpnOf(options);
  const scenarios = [...named, ...files].filter((one) => !isAll || isAsked(one, alpn));
  assertAsked(scenarios, alpn);
  const servers = await selectServers(options, io.path);
  for (const server of servers) assertSpeaks(server, alpn);
  const env = serverEnv(options, DEFAULT_DB_POOL);
  const progress = createProgress({ ...io.progress, variants: servers.length });
  const needs = { database: scenarios.some(needsDatabase), tls: alpn, env };
  await using testbed = await openTestbed(
    options,
    needs,
    io,
    (database) => io.say(`Using ${database}`),
  );
  const prepared = await testbed.prepare(servers, progress.show, signal);
  progress.close();
  const count: Record<CheckOutcome["status"], number> = { pass: 0, warn: 0, fail: 0, skip: 0 };
  for (const one of prepared) {
    for await (const check of checkServer(one, { testbed, scenarios, env, signal })) {
      count[check.status]++;
      const [word, tone] = SHOWN[check.status];
      const shown = io.screen.styled && tone !== null ? tinted(word, tone) : word;
      io.say(`${shown}  ${printable(`${one.server.id} ${describeCheck(check)}`)}`);
    }
  }
  const { pass, warn, fail } = count;
  const skipped = prepared.filter((one) => one.skipped !== null).map(({ server }) => server.id);
  const others = skipped.length === 0 ? "" : `; skipped: ${skipped.join(", ")}`;
  io.say(`${pass} passed, ${warn} warned, ${fail} failed${others}`);
  if (pass + warn + fail > 0) return fail === 0 ? FINE : FAILED;
  io.say("Nothing was checked");
  return FAILED;
}
