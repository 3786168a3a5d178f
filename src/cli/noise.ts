import { UsageError } from "../errors.ts";
import { noiseTable } from "../report/noise.ts";
import { draw } from "../report/terminal.ts";
import { conclude } from "./conclude.ts";
import { measure } from "./measure.ts";
import { type Order, readOrder, type RunOptions } from "./order.ts";
import { say } from "./say.ts";
import { screenOf } from "./screen.ts";

/** `noise`: measures a server against itself, which tells what differences mean nothing here. */
export async function noise(scenarioIds: readonly string[], options: RunOptions): Promise<number> {
  const outcome = await measure(twins(await readOrder(scenarioIds, options)), options);
  return conclude(outcome, false, (report) => {
    say("");
    for (const line of draw(noiseTable(report), screenOf())) say(line);
    say(`
Ratio of a server to itself, paired over the rounds, with its 95 % interval; the floor is how far the
interval reaches from 1: a difference below it means nothing on this machine with these settings.
`);
  });
}

/** The order with its server twice. */
function twins(order: Order): Order {
  const [target] = order.targets;
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
