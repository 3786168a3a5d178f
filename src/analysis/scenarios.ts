import { createHash } from "node:crypto";
import type { Scenario } from "../model/scenario.ts";
import type { ScenarioSummary } from "../model/report.ts";

/** What scenarios ask for and verify, without what may be secret. */
export function summariseScenarios(scenarios: readonly Scenario[]): ScenarioSummary[] {
  return scenarios.map(({ id, title, request, queries, checks }) => ({
    id,
    title,
    method: request.method,
    path: request.path,
    queries,
    headerNames: Object.keys(request.headers),
    bodySha256: request.body === null
      ? null
      : createHash("sha256").update(request.body).digest("hex"),
    checks: checks.map(({ name }) => name),
  }));
}
