import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import schema from "../docs/results.schema.json" with { type: "json" };

/** Returns whether a value is a report by docs/results.schema.json. */
export const isReport: ValidateFunction = new Ajv2020({ strict: true, allErrors: true })
  .compile(schema);

/** Returns the errors of a report, one per line. */
export function errorsOf(report: unknown): string[] {
  return isReport(report)
    ? []
    : (isReport.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
