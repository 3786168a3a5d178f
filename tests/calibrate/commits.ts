import type { Report } from "../../src/model/report.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { ONLY_TIMES } from "./versus.ts";
import { clone, git, makeJsonWait } from "./clone.ts";
import { changesOf, describe, lengthOf, say } from "./say.ts";

/**
 * Options for a run of a minute, or 90 seconds with a confirmation. Fewer rounds cannot prove anything in a
 * family of six comparisons.
 */
const SHORT = ["--rounds", "8", "--max-rounds", "8", "-z", "1"];
/**
 * Counts how often the gate fails for a commit that slows `/json` of Stampede's own server by some
 * microseconds, and how often `/text` is unchanged.
 */
export async function commit(us: number, runs: number): Promise<void> {
  let [failed, unchanged] = [0, 0];
  for (let i = 1; i <= runs; i++) {
    const { code, report } = await gate((folder) => makeJsonWait(folder, us));
    if (code === 1) failed++;
    const text = changesOf(report).filter(({ scenario }) => scenario === "text");
    if (text.every(({ verdict }) => verdict === "same")) unchanged++;
    say(
      `${i}: exit ${code}; ${changesOf(report).map(describe).join("; ")}; ${
        lengthOf(report)
      }; failed so far: ${failed}`,
    );
  }
  say(`commit of ${us} us: exit 1 in ${failed} of ${runs}; text unchanged in ${unchanged}`);
}

/** Counts how often the gate fails for a commit that changes only documents. */
export async function documents(runs: number): Promise<void> {
  let failed = 0;
  for (let i = 1; i <= runs; i++) {
    const { code, report } = await gate((folder) =>
      Deno.writeTextFile(`${folder}/README.md`, `\nChange ${i}.\n`, { append: true })
    );
    if (code !== 0) failed++;
    say(
      `${i}: exit ${code}; ${changesOf(report).map(describe).join("; ")}; ${
        lengthOf(report)
      }; failed so far: ${failed}`,
    );
  }
  say(`documents: exit 1 in ${failed} of ${runs}`);
}

/** Returns the gate's outcome for a change in a clone of this repository. */
async function gate(
  change: (folder: string) => Promise<void>,
): Promise<{ code: number; report: Report }> {
  await using sandbox = await Sandbox.create();
  const folder = await clone(sandbox);
  await change(folder);
  await git("-C", folder, "commit", "--quiet", "--all", "--message", "A change");
  const revisions = ["--server", `${folder}/peers/deno`, "--base", "HEAD~1", "--head", "HEAD"];
  const { code, stderr } = await sandbox.run(
    ["versus", "text", "json", ...revisions, "--fail-on", "5%", ...SHORT, ...ONLY_TIMES],
    LONG_TIMEOUTS,
  );
  const [report] = await sandbox.reports() as unknown as Report[];
  if (report === undefined || code > 1) throw new Error(stderr);
  return { code, report };
}
