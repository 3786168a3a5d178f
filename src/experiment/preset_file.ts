import { fileURLToPath } from "node:url";
import { PRESET_SCHEMA } from "../model/documents.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import { type Preset, unknownRows } from "../model/preset.ts";
import { oneLine } from "../model/text.ts";
import { describeProblems, validatorOf } from "../model/validator.ts";

const PRESETS = new URL("../../presets/", import.meta.url);
const problemsOf = validatorOf(PRESET_SCHEMA, { useDefaults: true, allErrors: true });

/** Returns the ids of the presets that Stampede contains. */
export async function presetIds(): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(PRESETS));
  return entries.map(({ name }) => name.replace(/\.json$/, "")).sort();
}

/** Returns whether a text is the id of a preset. If it is not, it is a path. */
export function isPresetId(name: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(name);
}

/**
 * Reads a preset.
 *
 * @param name an id, or the path of a file
 * @throws {UsageError} if the preset does not exist or is invalid.
 */
export async function readPreset(name: string): Promise<Preset> {
  const isId = isPresetId(name);
  const path = isId ? fileURLToPath(new URL(`${name}.json`, PRESETS)) : name;
  let content: unknown;
  try {
    content = JSON.parse(await readInputFile(path, "preset"));
  } catch (error) {
    const known = (await presetIds()).join(", ");
    throw new UsageError(
      isId
        ? `There is no preset "${name}": choose from ${known}, or give the path of a file`
        : `Cannot read the preset ${path}: ${oneLine(messageOf(error))}`,
    );
  }
  const problems = problemsOf(content);
  if (problems.length > 0) {
    throw new UsageError(`Cannot use the preset ${path}: ${describeProblems(problems)}`);
  }
  const preset = content as Preset;
  if ((preset.tables.length === 0) === (preset.scenarios.length === 0)) {
    throw new UsageError(
      `Cannot use the preset ${path}: it needs either scenarios or tables`,
    );
  }
  const unknown = unknownRows(preset);
  if (unknown.length > 0) {
    throw new UsageError(
      `Cannot use the preset ${path}: a ratio names a missing row: ${unknown.join(", ")}`,
    );
  }
  return preset;
}
