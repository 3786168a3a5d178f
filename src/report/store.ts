import { dirname } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import type { Report } from "../model.ts";

/** Where a report goes unless the person says otherwise: results/, one file a run. */
export function defaultPath(createdAt: string, id: string): string {
  return `results/${createdAt.slice(0, 19).replaceAll(":", "-")}-${id}.json`;
}

/**
 * Writes a report whole or not at all: to a temporary file beside it, which then takes its place.
 *
 * @throws {Failure} if it cannot be written there.
 */
export async function writeReport(path: string, report: Report): Promise<void> {
  const temporary = `${path}.part`;
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(temporary, JSON.stringify(report, null, 1) + "\n");
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw new Failure(`Cannot write the report to ${path}: ${messageOf(error)}`);
  }
}

/** Removes a report that holds nothing. */
export async function removeReport(path: string): Promise<void> {
  await Deno.remove(path).catch(() => {});
}
