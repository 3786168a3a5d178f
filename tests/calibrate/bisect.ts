import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { clone, git, makeJsonWait } from "./clone.ts";
import { percent, say } from "./say.ts";

/** Commits of each search. */
const COMMITS = 64;

/** The output of `stampede bisect --json`, as far as it is read here. */
interface Found {
  readonly outcome: string;
  readonly suspects?: readonly { readonly about: string }[];
  readonly change?: { readonly metric: string; readonly ratio: number | null } | null;
  readonly steps?: readonly Readonly<Record<"label" | "side", string>>[];
}

/**
 * Counts how often `bisect` finds the one of 64 commits that makes `/json` of Stampede's own server wait some
 * microseconds. With 0, it counts how often `bisect` finds nothing.
 */
export async function bisect(us: number, runs: number): Promise<void> {
  let right = 0;
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const folder = await clone(sandbox);
    const place = 1 + Math.floor(Math.random() * COMMITS);
    for (let number = 1; number <= COMMITS; number++) {
      if (us > 0 && number === place) await makeJsonWait(folder, us);
      await Deno.writeTextFile(`${folder}/README.md`, `\n${number}\n`, { append: true });
      await git("-C", folder, "commit", "-qam", `Number ${number}.`);
    }
    const startedMs = performance.now();
    const range = ["--good", `HEAD~${COMMITS}`, "--bad", "HEAD"];
    const { stdout, stderr } = await sandbox.run(
      ["bisect", "json", "--server", `${folder}/peers/deno`, ...range, "--json"],
      LONG_TIMEOUTS,
    );
    const minutes = (performance.now() - startedMs) / 60_000;
    if (stdout === "") throw new Error(stderr);
    const { outcome, suspects = [], change, steps = [] }: Found = JSON.parse(stdout);
    const isNamed = suspects.length === 1 && suspects[0]?.about.includes(` Number ${place}. `);
    const isRight = us === 0 ? outcome === "unchanged" : outcome === "found" && isNamed === true;
    if (isRight) right++;
    const found = us === 0
      ? ""
      : `, number ${place}, ${change?.metric} ${percent(change?.ratio ?? null)}`;
    const path = steps.map(({ side }) => side).join(", ");
    // The fresh rounds at the end are the last step
    const labels = new Set(steps.map(({ label }) => label));
    const measured = steps.length === 0
      ? "no step"
      : `${labels.size - 1} steps in ${steps.length - 1} measurements (${path})`;
    say(
      `${i}: ${isRight ? "right" : "WRONG"}, ${outcome}${found}; ${measured}, ${
        minutes.toFixed(1)
      } min; right so far: ${right}`,
    );
  }
  say(`bisect of ${us} us among ${COMMITS} commits: right in ${right} of ${runs}`);
}
