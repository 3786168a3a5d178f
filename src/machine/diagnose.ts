import type { MachineFacts } from "./facts.ts";
import type { Finding } from "../model/report.ts";
import type { Needs } from "./finding.ts";
import { PROCESSOR } from "./processor.ts";
import { RESOURCES } from "./resources.ts";

/**
 * Checks how well a machine is suited for measurements. Stampede never changes a setting; the advice contains
 * the command that does.
 *
 * @returns one finding per aspect, in a fixed order.
 */
export function diagnose(facts: MachineFacts, needs: Needs): Finding[] {
  return Object.entries({ ...PROCESSOR, ...RESOURCES })
    .map(([name, judge]) => ({ name, ...judge(facts, needs) }));
}
