import { UsageError } from "../../model/errors.ts";
import { noiseTable } from "../../view/tables/noise.ts";
import { conditions } from "../../view/remarks.ts";
import { draw } from "../../view/terminal.ts";
import { conclude } from "../finish.ts";
import { measure } from "../../engine/run.ts";
import { type Order, readOrder, type RunOptions } from "../../experiment/order.ts";
import { say } from "../print.ts";
import { screenOf } from "../screen.ts";

/** `noise`: measures a server against itself, which tells what differences mean nothing here. */
export async function noise(scenarioIds: readonly string[], options: RunOptions): Promise<number> {
  const order = twins(await readOrder(scenarioIds, options));
  const outcome = await measure(order, options);
  return conclude(outcome, false, (report) => {
    say("");
    for (const line of draw(noiseTable(report), screenOf())) say(line);
    say(`
Ratio of a server to itself, paired over the rounds, with its 95 % interval; the floor is how far the
interval reaches from 1: a difference below it means nothing on this machine with these settings.`);
    for (const { target, scenario, status, reason } of report.cells) {
      if (status !== "ok") say(`${scenario} of ${target}: ${status}: ${reason}`);
    }
    for (const line of conditions(report)) say(line);
    say("");
  });
}

/** The order with its server twice. */
function twins(order: Order): Order {
  const [target] = order.targets;
  if ((order.config.connections?.length ?? 0) > 1) {
    throw new UsageError("Cannot measure the noise under several numbers of connections at once");
  }
  if (target === undefined || order.targets.length > 1) {
    throw new UsageError("Cannot measure the noise of several servers at once: name one");
  }
  const twin = { ...target, id: `${target.id}-again` };
  return {
    ...order,
    targets: [target, twin],
    config: { ...order.config, targets: [target.id, twin.id] },
    twins: [target.id, twin.id],
  };
}
