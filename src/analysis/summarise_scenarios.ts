import { createHash } from "node:crypto";
import type { Experiment } from "../model/experiment.ts";
import type { ScenarioSummary } from "../model/report.ts";
import { hideQuery } from "../model/secrets.ts";

/**
 * Summarises the requests and checks of scenarios. Possible secrets are left out: header values, bodies, and
 * the query of a URL target.
 */
export function summariseScenarios(
  { variants, scenarios }: Pick<Experiment, "variants" | "scenarios">,
): ScenarioSummary[] {
  const isForeign = variants.some(({ server }) => server.attached !== null);
  return scenarios.map(({ id, title, request, queries, each, checks }) => {
    const { method, path, headers, body } = request;
    const shown = isForeign ? hideQuery(path) : path;
    return {
      id,
      title,
      method,
      path: shown,
      each,
      hiddenPathSha256: shown === path ? null : sha256(path),
      headerNames: Object.keys(headers),
      bodySha256: body === null ? null : sha256(body),
      queries,
      checks: checks.map(({ name }) => name),
    };
  });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
