import type { Sandbox } from "../bench.ts";

/** A server for the calibration. */
export interface ServerOptions {
  readonly scenario: string;
  /** A TypeScript file, with its arguments. */
  readonly program: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Writes the manifest of a server into a new folder of the sandbox, and returns its path. */
export async function writeServer(
  sandbox: Sandbox,
  id: string,
  { scenario, program, env = {} }: ServerOptions,
): Promise<string> {
  const manifest = {
    id,
    name: id,
    language: "TypeScript",
    scenarios: { [scenario]: {} },
    start: ["deno", "run", "--no-prompt", "-A", ...program],
    env,
  };
  const folder = `${sandbox.folder}/${id}`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(manifest));
  return `${folder}/server.json`;
}
