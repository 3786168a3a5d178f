import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { text } from "../../scenarios/text.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { Variant } from "../model/experiment.ts";
import { experimentTables } from "../view/tables/experiment_tables.ts";
import { runLogged } from "./testbed_testdata.ts";

/** Makes a variant of one server with a given number of workers. */
function variantWith(workers: number): Variant {
  const variant = variantOf("a", [text]);
  return { ...variant, id: `a-x${workers}`, env: { ...variant.env, WORKERS: String(workers) } };
}

Deno.test("more workers are held against the fewest, in the same rounds", async () => {
  const variants = [variantWith(1), variantWith(2), variantWith(4)];
  const experiment = experimentOf(variants, [text], { rounds: 6, maxRounds: 6 });
  const { report, error } = await runLogged({ ...experiment, kind: "scaling" });
  strictEqual(error, null);
  const rows = report?.scaling ?? [];
  deepStrictEqual(rows.map(({ workers, baseWorkers }) => [workers, baseWorkers]), [
    [1, 1],
    [2, 1],
    [4, 1],
  ]);
  const [one, two, four] = rows;
  deepStrictEqual([one?.rate, one?.efficiency], [null, null]);
  deepStrictEqual([two?.rate?.ratio, two?.efficiency], [1, 0.5]);
  strictEqual(four?.efficiency, 0.25);
  // The fake machine has four processors; the load generator keeps one of them busy
  deepStrictEqual(rows.map(({ isShared }) => isShared), [false, false, true]);
  const [own] = report === undefined ? [] : experimentTables(report);
  deepStrictEqual(own?.table.rows.map(({ cells }) => cells.slice(1, 4)), [
    ["text", "1", "1,000"],
    ["text", "2", "1,000"],
    ["text", "4", "1,000"],
  ]);
  match(
    own?.notes[1] ?? "",
    /^4 workers, the load generator and other components share 4 cores/,
  );
});
