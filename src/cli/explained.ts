import { pick } from "../experiment/select.ts";

/**
 * Parses the value of --explain and returns the ids of its scenarios.
 *
 * @param text ids separated by commas, or all
 * @param known the scenarios of the report
 * @throws {UsageError} if an id is unknown
 */
export function readExplained(
  text: string | undefined,
  known: readonly { readonly id: string }[],
): string[] {
  if (text === undefined) return [];
  const ids = text === "all" ? [] : text.split(",");
  return pick("scenario to explain in this report", ids, known).map(({ id }) => id);
}
