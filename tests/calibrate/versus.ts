import type { Change } from "../../src/model/derived.ts";
import type { Report } from "../../src/model/report.ts";
import { LONG_TIMEOUTS, type Sandbox } from "../bench.ts";
import { changesOf, describe, lengthOf, say } from "./say.ts";

/** Options that leave out the passes for causes, which are calibrated apart. */
export const ONLY_TIMES = ["--no-counts", "--no-profile", "--measure", "none"];

/** Runs `stampede versus` on two manifests, prints the outcome and returns the changes. */
export async function versus(
  sandbox: Sandbox,
  label: string,
  args: readonly string[],
): Promise<readonly Change[]> {
  const [server = ""] = args.slice(args.indexOf("--head") + 1);
  const out = `${sandbox.folder}/versus.json`;
  const { stderr } = await sandbox.run(
    ["versus", ...args, "--server", server, "--out", out, ...ONLY_TIMES],
    LONG_TIMEOUTS,
  );
  const report: Report = JSON.parse(await Deno.readTextFile(out).catch(() => "null"));
  if (report === null) throw new Error(stderr);
  const changes = changesOf(report);
  say(`${label}: ${changes.map(describe).join("; ")}; ${lengthOf(report)}`);
  return changes;
}
