import { pick } from "../experiment/select.ts";

/**
 * The scenarios whose evidence is printed.
 *
 * @param text their ids, separated by commas, or all
 * @param known those that there are
 * @throws {UsageError} for another one.
 */
export function readExplained(
  text: string | undefined,
  known: readonly { readonly id: string }[],
): string[] {
  if (text === undefined) return [];
  const ids = text === "all" ? [] : text.split(",");
  return pick("scenario to explain in this report", ids, known).map(({ id }) => id);
}
