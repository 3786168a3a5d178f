import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../docs/results.schema.json" with { type: "json" };
import { messageOf, UsageError } from "../model/errors.ts";
import type { Report } from "../model/report.ts";

/** The newest format that this version reads. */
const NEWEST = schema.properties.schemaVersion.const;
const isReport = new Ajv2020({ strict: true }).compile<Report>(schema);

/** Gives an object what it may lack; whatever else is left to the schema. */
function fill(object: unknown, missing: Readonly<Record<string, unknown>>): void {
  if (typeof object === "object" && object !== null) {
    Object.assign(object, { ...missing, ...object });
  }
}

/** What files of format 1 lack that were written before it was added. */
function fillIn(report: Record<string, unknown>): void {
  fill(report, { commit: null, scenarios: [], generators: [] });
  fill(report.config, { requests: null, timeoutS: 10 });
  if (!Array.isArray(report.results)) return;
  for (const result of report.results.filter(Boolean)) {
    fill(result.window, { referenceUs: null });
    fill(result.failure, { output: null });
  }
}

/**
 * Reads a report from its file, of this version or an older one.
 *
 * @throws {UsageError} in one line, if there is none, or what is wrong with it.
 */
export async function readReport(path: string): Promise<Report> {
  const problem = (what: string): UsageError =>
    new UsageError(`Cannot use the report ${path}: ${what}`);
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    throw problem(
      error instanceof Deno.errors.NotFound ? "there is no such file" : messageOf(error),
    );
  }
  if (text.trim() === "") throw problem("it is empty");
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    throw problem(
      /^\s*[{[]/.test(text) ? "it is damaged or not whole: it is no valid JSON" : "it is no JSON",
    );
  }
  const { schemaVersion: version = null, results = null } = Object(report) as Partial<
    Record<string, unknown>
  >;
  if (typeof version !== "number" || results === null) {
    throw problem("it is JSON, but no report of Stampede");
  }
  if (version > NEWEST) {
    throw problem(
      `its format is ${version}, and this Stampede reads up to ${NEWEST}: take a newer Stampede`,
    );
  }
  fillIn(report as Record<string, unknown>);
  if (isReport(report)) return report;
  const [first] = isReport.errors ?? [];
  throw problem(`it is damaged: ${first?.instancePath || "it"} ${first?.message}`);
}
