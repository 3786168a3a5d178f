import { isAbsolute, join } from "node:path";

/** Matches a placeholder, such as `{PORT}`. */
export const PLACEHOLDER = /\{([A-Z_]+)\}/g;

/** Values of the placeholders by name. */
export type Placeholders = Readonly<Record<string, string | null | undefined>>;

/**
 * Returns a command of a manifest with its placeholders filled in. An argument is omitted if its
 * placeholder has no value.
 *
 * `deno` becomes the Deno that runs Stampede. A relative path with a slash is resolved in the folder.
 *
 * @param folder the folder in which the command runs
 */
export function resolveCommand(
  command: readonly string[],
  values: Placeholders,
  folder: string,
): string[] {
  const [program = "", ...args] = command.flatMap((argument) => fill(argument, values) ?? []);
  if (program === "deno") return [Deno.execPath(), ...args];
  const isHere = program.includes("/") && !isAbsolute(program);
  return [isHere ? join(folder, program) : program, ...args];
}

/** Returns a text with its placeholders filled in; null if one has no value. */
export function fill(text: string, values: Placeholders): string | null {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  if (names.some((name) => !values[name])) return null;
  return text.replace(PLACEHOLDER, (_all, name) => values[name] ?? "");
}
