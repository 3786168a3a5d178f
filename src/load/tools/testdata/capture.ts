/**
 * Captures the output of the tools as fixtures in this folder. Run it by hand, in less than a minute:
 *
 * `deno run -A src/load/tools/testdata/capture.ts [tool]...`
 *
 * Fixtures with a member `constructed` were made by hand and stay.
 */
import { findGenerator, TOOLS } from "../../generator_list.ts";
import type { Tool, ToolLoad, ToolOutput } from "../tool.ts";
import { GET, POST, runTool, serve } from "./run_tool.ts";

/** Changes to the load of each fixture. */
const CASES: Readonly<Record<string, Partial<ToolLoad>>> = {
  good: {},
  post: { request: POST },
  errors: { request: { ...GET, path: "/errors" } },
  refused: { url: "http://127.0.0.1:1/" },
  timeouts: { request: { ...GET, path: "/hangs" }, seconds: 3 },
  requests: { seconds: null, requests: 1000 },
};

async function capture(tool: Tool, version: string, origin: string): Promise<void> {
  for (const [name, change] of Object.entries(CASES)) {
    if (change.requests !== undefined && !tool.requests) continue;
    const request = change.request ?? GET;
    const load: ToolLoad = {
      url: origin + request.path,
      request,
      connections: 8,
      alpn: null,
      threads: 2,
      seconds: tool.id === "h2load" ? 0.1 : 1, // it logs each response
      requests: null,
      timeoutS: 1,
      ...change,
    };
    const output = clean(await runTool(tool.invoke(load)));
    const fixture = { captured: `${tool.id} ${version}`, ...output };
    const path = new URL(`${tool.id}_${name}.json`, import.meta.url);
    await Deno.writeTextFile(path, `${JSON.stringify(fixture, null, 2)}\n`);
    // deno-lint-ignore no-console -- it is run by hand
    console.log(tool.id, name, output.exitCode);
  }
}

/** Removes the name of this machine from the output. */
function clean(output: ToolOutput): ToolOutput {
  const strip = (text: string): string => text.replaceAll(Deno.hostname(), "host");
  return { ...output, stdout: strip(output.stdout), stderr: strip(output.stderr) };
}

await using server = serve();
for (const tool of TOOLS) {
  if (Deno.args.length > 0 && !Deno.args.includes(tool.id)) continue;
  const found = await findGenerator(tool.id);
  if ("version" in found) await capture(tool, found.version, server.origin);
}
