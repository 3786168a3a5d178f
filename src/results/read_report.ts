/** Reads and validates reports. */
import { REPORT_SCHEMA } from "../model/documents.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import { describeProblems, validatorOf } from "../model/schema.ts";
import { type AnyReport, FORMAT } from "../model/report.ts";

/** The validator of each kind of report. One for all would list the problems of every kind. */
const VALIDATORS = {
  run: validatorOf({ $ref: "#/$defs/Report", $defs: REPORT_SCHEMA.$defs }),
  distributed: validatorOf({ $ref: "#/$defs/DistributedReport", $defs: REPORT_SCHEMA.$defs }),
};

/** Reads a report from its file; throws like {@linkcode reportOf}, also for a missing file. */
export async function readReport(path: string): Promise<AnyReport> {
  const text = await readInputFile(path, "report").catch((error) => {
    const isMissing = error instanceof Deno.errors.NotFound;
    throw unusable(path, isMissing ? "there is no such file" : messageOf(error));
  });
  return reportOf(text, path);
}

/** Reads a report from its text; throws UsageError with one line that names it. */
export function reportOf(text: string, name: string): AnyReport {
  const problem = (what: string): UsageError => unusable(name, what);
  if (text.trim() === "") throw problem("it is empty");
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    if (!/^\s*[{[]/.test(text)) throw problem("it is not JSON");
    throw problem("it is damaged or incomplete: it is not valid JSON");
  }
  const { schemaVersion: format = null, kind = null }: Record<string, unknown> = Object(written);
  if (format === null || kind === null) throw problem("it is JSON, but not a report of Stampede");
  if (format !== FORMAT) {
    const found = typeof format === "number" ? format : "unknown";
    throw problem(
      `its format is ${found}, and this Stampede reads format ${FORMAT} only: use the version of Stampede that wrote it, or measure again`,
    );
  }
  if (kind !== "run" && kind !== "distributed") throw problem("it is damaged: its kind is unknown");
  const problems = VALIDATORS[kind](written);
  if (problems.length > 0) throw problem(`it is damaged: ${describeProblems(problems)}`);
  const place = outsizedIn(written);
  if (place !== null) throw problem(`it is damaged: ${place} is too large for a count`);
  return written as AnyReport;
}

/** Returns the path of the first number that is too large for an exact integer; null without one. */
function outsizedIn(value: unknown): string | null {
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER ? "" : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const place = outsizedIn(inner);
    if (place !== null) return `/${key}${place}`;
  }
  return null;
}

function unusable(name: string, what: string): UsageError {
  return new UsageError(`Cannot use the report ${name}: ${what}`);
}
