import { estimateS, Planner } from "../../experiment/plan.ts";
import { describePlan } from "../../view/plan.ts";
import { terminal } from "../../view/terminal.ts";
import { fromCaller } from "../../experiment/choose.ts";
import { conclude } from "../finish.ts";
import { measure } from "../../engine/run.ts";
import { runPreset } from "./preset.ts";
import { readOrder, type RunOptions } from "../../experiment/order.ts";
import { claimOutputs, type OutputOptions, summarise, writeOutputs } from "../outputs.ts";
import { say } from "../print.ts";
import { screenOf } from "../screen.ts";

/** `run`: measures the chosen scenarios, writes the report and prints the summary. */
export async function run(
  scenarioIds: readonly string[],
  options: RunOptions & OutputOptions,
): Promise<number> {
  if (options.preset !== undefined) return await runPreset(options.preset, scenarioIds, options);
  const order = await readOrder(scenarioIds, options);
  const { config } = order;
  if (options.dryRun) {
    const trials = new Planner(config, order.targets, order.scenarios).firstRounds();
    say(
      options.json
        ? JSON.stringify({ config, trials })
        : describePlan(config, trials, estimateS(trials)),
    );
    return 0;
  }
  const { out } = options;
  const outputs = await claimOutputs(options, out === undefined ? [] : [fromCaller(out)]);
  const outcome = await measure(order, options);
  const isQuiet = options.json ?? false;
  try {
    return conclude(outcome, isQuiet, (report) => {
      say(isQuiet ? JSON.stringify(report) : terminal(report, screenOf(), order.explained));
    });
  } finally {
    if (outcome.report !== null) {
      await writeOutputs(outcome.report, outputs, isQuiet);
      await summarise(outcome.report);
    }
  }
}
