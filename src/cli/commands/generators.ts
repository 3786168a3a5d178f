import { UsageError } from "../../model/errors.ts";
import { generatorsTable } from "../../view/tables/generators.ts";
import { conditions } from "../../view/remarks.ts";
import { draw } from "../../view/terminal.ts";
import { conclude } from "../finish.ts";
import { findGenerators, isPresent } from "../../engine/generators.ts";
import { measure } from "../../engine/run.ts";
import { type Order, readOrder, type RunOptions } from "../../experiment/order.ts";
import { say } from "../print.ts";
import { screenOf } from "../screen.ts";

/** `generators`: every load generator that is here against the same server, in the same rounds. */
export async function generators(
  scenarioIds: readonly string[],
  options: RunOptions,
): Promise<number> {
  const candidates = await findGenerators();
  const ids = candidates.filter(isPresent).map(({ generator }) => generator.id);
  const given = scenarioIds.length > 0 ? scenarioIds : [DEFAULT_SCENARIO];
  const order = oneEach(await readOrder(given, { ...options, generator: "" }), ids);
  const missing = candidates.flatMap(({ generator: { id }, found }) =>
    "install" in found ? [`${id.padEnd(12)}not here: ${found.install}`] : []
  );
  const outcome = await measure(order, { ...options, generator: "" });
  return conclude(outcome, false, (report) => {
    say("");
    for (const line of draw(generatorsTable(report), screenOf())) say(line);
    for (const line of missing) say(line);
    say(LEGEND);
    for (const line of conditions(report)) say(line);
    say("");
  });
}

const DEFAULT_SCENARIO = "text";
const LEGEND = `
One server under each load generator, in the same rounds: what each of them shows (Req/Sec), what it
costs itself and what it costs the server for each answer, and what the limit was. Where a
generator is the limit, its rate says what it can do, not the server, and the server's cost holds some
waiting: compare costs under one generator.`;

/** The order with its one server under each load generator, as if these were servers. */
function oneEach(order: Order, ids: readonly string[]): Order {
  const [target] = order.targets;
  if (target === undefined || order.targets.length > 1) {
    throw new UsageError("Cannot compare load generators at several servers at once: name one");
  }
  return {
    ...order,
    targets: ids.map((id) => ({ ...target, id })),
    generatorOf: new Map(ids.map((id) => [id, id])),
    config: { ...order.config, targets: ids },
  };
}
