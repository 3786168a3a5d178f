import { UsageError } from "../errors.ts";

/**
 * The things with these ids, in the order of `all`; no ids means all of them.
 *
 * @throws {UsageError} naming an id that there is not, and those that there are.
 */
export function choose<T extends { readonly id: string }>(
  what: string,
  ids: readonly string[],
  all: readonly T[],
): T[] {
  const unknown = ids.find((id) => !all.some((item) => item.id === id));
  if (unknown !== undefined) {
    const known = all.map(({ id }) => id).join(", ");
    throw new UsageError(
      `There is no ${what} "${unknown}": choose from ${known} (or see bench --help)`,
    );
  }
  return ids.length === 0 ? [...all] : all.filter(({ id }) => ids.includes(id));
}

/**
 * The ids in the text of `--servers`; `all` is no ids, which means all.
 *
 * @throws {UsageError} if there is none in it.
 */
export function serverIds(text: string): string[] {
  const ids = text.split(",").map((id) => id.trim()).filter(Boolean);
  if (ids.length === 0) throw new UsageError("Cannot read --servers: name a server, or all");
  return ids.includes("all") ? [] : ids;
}
