import type { MachineFacts } from "./facts.ts";
import type { Finding } from "../model/report.ts";
import type { Needs } from "./finding.ts";
import { PROCESSOR } from "./processor.ts";
import { RESOURCES } from "./resources.ts";

/**
 * Judges how well a machine is suited for measuring, one finding for each aspect, in a fixed order.
 * Stampede never changes a setting itself: its advice holds the command.
 */
export function diagnose(facts: MachineFacts, needs: Needs): Finding[] {
  return Object.entries({ ...PROCESSOR, ...RESOURCES })
    .map(([name, judge]) => ({ name, ...judge(facts, needs) }));
}
