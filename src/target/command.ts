import { isAbsolute, join } from "node:path";

/** Something in braces that stands for a value. */
export const PLACEHOLDER = /\{([A-Z_]+)\}/g;

/** What stands in a manifest's commands for values: `{PORT}` and the like, with their values. */
export type Placeholders = Readonly<Record<string, string | null | undefined>>;

/**
 * A command of a manifest as it is run: placeholders are filled in, and an argument whose placeholder
 * has no value is left out. `deno` is the Deno that runs Stampede; a program with a slash lies in the
 * folder.
 *
 * @param folder where the command runs
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

/** A text with its placeholders filled in; null if one has no value. */
export function fill(text: string, values: Placeholders): string | null {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  if (names.some((name) => !values[name])) return null;
  return text.replace(PLACEHOLDER, (_all, name) => values[name] ?? "");
}
