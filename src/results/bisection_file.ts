/** The file in which `stampede bisect` keeps its measurements, to continue after an interruption. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { BisectionFile } from "../model/bisection.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import { describeProblems, document, validatorOf } from "../model/schema.ts";
import { oneLine } from "../model/text.ts";
import { type Place, writeWhole } from "./store.ts";

const problemsOf = validatorOf(document(BisectionFile, "Bisection", "An unfinished bisection."));

/** Returns the path of the file in the folder of reports; `parts` is what measurements depend on. */
export function bisectionPath({ folder, results }: Place, parts: unknown): string {
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 12);
  return resolve(folder, results, `bisect-${key}.json`);
}

/** Reads the file of an interrupted bisection; null without one. Throws a `UsageError` if it is damaged. */
export async function readBisection(path: string): Promise<BisectionFile | null> {
  try {
    const file: unknown = JSON.parse(await readInputFile(path, "bisection"));
    const problems = problemsOf(file);
    if (problems.length > 0) throw new Error(describeProblems(problems));
    return file as BisectionFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    const why = oneLine(messageOf(error));
    throw new UsageError(`Cannot continue from ${path}: ${why}; --restart begins anew`);
  }
}

export async function writeBisection(path: string, file: BisectionFile): Promise<void> {
  await writeWhole(path, `${JSON.stringify(file)}\n`);
}
