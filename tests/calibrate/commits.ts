import type { Report } from "../../src/model/report.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { clone, git, makeJsonWait } from "./clone.ts";
import { changesOf, describe, lengthOf, say } from "./say.ts";

/**
 * What a run of a minute is given, and a minute and a half if it looks twice: fewer rounds can prove nothing in
 * a family of six comparisons.
 */
const SHORT = ["--rounds", "8", "--max-rounds", "8", "-z", "1"];
/**
 * A commit that makes `/json` of Stampede's own server wait busily for so many microseconds: how often the
 * gate fails for it, and how often it finds `/text` to be as it was.
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

/** Commits that change documents alone: how often the gate fails for one. */
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

/** What the gate says of a change to a clone of this repository. */
async function gate(
  change: (folder: string) => Promise<void>,
): Promise<{ code: number; report: Report }> {
  await using sandbox = await Sandbox.create();
  const folder = await clone(sandbox);
  await change(folder);
  const author = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  await git("-C", folder, ...author, "commit", "--quiet", "--all", "--message", "A change");
  const revisions = ["--server", `${folder}/peers/deno`, "--base", "HEAD~1", "--head", "HEAD"];
  const { code, stderr } = await sandbox.run(
    ["versus", "text", "json", ...revisions, "--fail-on", "5%", ...SHORT],
    LONG_TIMEOUTS,
  );
  const [report] = await sandbox.reports() as unknown as Report[];
  if (report === undefined || code > 1) throw new Error(stderr);
  return { code, report };
}
