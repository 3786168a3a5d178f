import { which } from "../process/files.ts";
import { BUILT_IN_GENERATORS } from "./built_in_generators.ts";
import { TOOLS } from "./tools/tool_list.ts";

/** A load generator that is installed. */
export interface FoundGenerator {
  readonly version: string;
  /**
   * Path of the program. For a built-in generator: where it comes from, such as `npm:autocannon`.
   */
  readonly path: string;
}

/** A load generator that is not installed. */
export interface MissingGenerator {
  readonly install: string;
}

/** Time limit of a command that prints a version, in milliseconds. */
const TIMEOUT_MS = 5000;

/**
 * Looks for a load generator and reads its version.
 *
 * @throws {Error} if the id is unknown.
 */
export async function findGenerator(id: string): Promise<FoundGenerator | MissingGenerator> {
  const builtIn = BUILT_IN_GENERATORS.find((generator) => generator.id === id);
  if (builtIn !== undefined) return { version: builtIn.version, path: builtIn.path };
  const tool = TOOLS.find((tool) => tool.id === id);
  if (tool === undefined) throw new Error(`Unknown load generator "${id}"`);
  const { command: [program = "", ...args], pattern } = tool.version;
  const path = which(program);
  if (path === null) return { install: tool.install };
  try {
    // Some tools print their version and then exit with an error.
    const { stdout, stderr } = await new Deno.Command(path, {
      args,
      stdin: "null",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).output();
    const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
    return { version: pattern.exec(text)?.[1] ?? "unknown", path };
  } catch {
    return { install: tool.install };
  }
}
