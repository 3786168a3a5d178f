import { delimiter, join } from "node:path";
import { BUILT_IN_GENERATORS } from "./built_in_generators.ts";
import { TOOLS } from "./tools/tool_list.ts";

/** A load generator that is on this machine. */
export interface FoundGenerator {
  readonly version: string;
  /** Where it lies, or where it comes from. */
  readonly path: string;
}

/** A load generator that is not, and what to do about it. */
export interface MissingGenerator {
  readonly install: string;
}

const TIMEOUT_MS = 5000;

/** Looks for a load generator. */
export async function findGenerator(id: string): Promise<FoundGenerator | MissingGenerator> {
  const own = BUILT_IN_GENERATORS.find((generator) => generator.id === id);
  if (own !== undefined) return { version: own.version, path: own.path };
  const tool = TOOLS.find((tool) => tool.id === id);
  if (tool === undefined) throw new Error(`There is no load generator ${id}`);
  const { command: [program = "", ...args], pattern } = tool.version;
  const path = await which(program);
  if (path === null) return { install: tool.install };
  try {
    // Some of them end with an error after they have said it.
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

/** Where a program lies that the shell would find; null if it would find none. */
async function which(program: string): Promise<string | null> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(delimiter)) {
    const path = join(folder, program);
    const isFile = await Deno.stat(path).then(({ isFile }) => isFile, () => false);
    if (isFile) return path;
  }
  return null;
}
