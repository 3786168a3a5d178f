/**
 * Captures what the tools really print, as the fixtures beside this file: by hand, with
 * `deno run -A src/load/tools/testdata/capture.ts [tool]...`, in less than a minute. Fixtures with
 * a member `constructed` are made by hand, and stay.
 */
import { findGenerator } from "../../find.ts";
import { TOOLS } from "../tool_list.ts";
import type { Tool, ToolLoad, ToolOutput } from "../tool.ts";
import { GET, POST, runTool, serve } from "./run_tool.ts";

/** What is asked of each tool. */
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
    if (change.requests !== undefined && !tool.abilities.requests) continue;
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

/** The same without the name of this machine. */
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
