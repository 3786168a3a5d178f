import { SCENARIOS } from "../../scenarios/mod.ts";
import { readCatalog } from "../target/catalog.ts";
import { verify } from "../target/verify.ts";
import { untilInterrupted } from "./interruption.ts";
import { choose, serverIds } from "./choose.ts";
import { serverEnv, type ServerOptions, Stage } from "./stage.ts";
import { say } from "./say.ts";

/** Options of `verify`. */
export interface VerifyOptions extends ServerOptions {
  readonly servers: string;
}

/** `verify`: every check of the chosen scenarios against the chosen servers, without any load. */
export async function verifyServers(
  scenarioIds: readonly string[],
  options: VerifyOptions,
): Promise<number> {
  const interrupted = untilInterrupted();
  const scenarios = choose("scenario", scenarioIds, SCENARIOS);
  const catalog = [...(await readCatalog()).values()];
  const targets = choose("server", serverIds(options.servers), catalog);
  await using stage = await Stage.open({
    options,
    needsDatabase: scenarios.some(({ queries }) => queries > 0),
    env: serverEnv(options),
    onDatabase: (label) => say(`Using ${label}`),
  });
  const count = { passed: 0, failed: 0 };
  for (const target of targets) {
    await using server = await stage.launch(target);
    for (const scenario of scenarios) {
      if (!(scenario.id in target.scenarios)) continue;
      for (
        const { name, problem } of (await verify(server.origin, scenario, stage.facts)).results
      ) {
        interrupted.throwIfAborted();
        count[problem === null ? "passed" : "failed"]++;
        const verdict = problem === null ? "pass" : "FAIL";
        say(
          `${verdict}  ${target.id} ${scenario.id}: ${name}${problem ? `: ${problem}` : ""}`,
        );
      }
    }
  }
  say(`${count.passed} passed, ${count.failed} failed`);
  return count.failed === 0 ? 0 : 1;
}
