import { SCENARIOS } from "../../scenarios/mod.ts";
import { verify } from "../target/verify.ts";
import { untilInterrupted } from "./interruption.ts";
import { choose, chooseServers, type ServerChoice } from "./choose.ts";
import { serverEnv, type ServerOptions, Stage } from "./stage.ts";
import { say } from "./say.ts";

/** `verify`: every check of the chosen scenarios against the chosen servers, without any load. */
export async function verifyServers(
  scenarioIds: readonly string[],
  options: ServerOptions & ServerChoice,
): Promise<number> {
  const interrupted = untilInterrupted();
  const scenarios = choose("scenario", scenarioIds, SCENARIOS);
  const targets = await chooseServers(options);
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
