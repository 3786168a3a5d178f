/** Lists what a bisection searches: the commits, or the releases, after the good one up to the bad one. */
import { UsageError } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import { git } from "../process/git.ts";
import { compareVersions, findRelease, isRelease, nameOf, versionsOf } from "./runtimes.ts";
import { findRevision } from "./state.ts";

/** A commit or a release, by a name that `findState` accepts. */
export interface Candidate {
  /** Full hash of the commit, or the release. */
  readonly name: string;
  /** Its short name: 12 digits of the hash, or the release. */
  readonly short: string;
  /** Subject, author and date of the commit; empty for a release. */
  readonly about: string;
  /** Number of the commit's parents; 1 for a release. */
  readonly parents: number;
}

/** The good end, and the candidates after it, the oldest first. The last one is the bad end. */
export interface Candidates {
  readonly good: Candidate;
  readonly after: readonly Candidate[];
}

/** Separates the fields of a commit. No subject contains it. */
const SEPARATOR = "\x1f";

/**
 * Lists the candidates between two git revisions, or two releases of one runtime. Of merged branches, it
 * lists only the merges. Throws a `UsageError` if the bad end does not come after the good one.
 */
export async function candidatesBetween(
  server: Server,
  good: string,
  bad: string,
): Promise<Candidates> {
  if (isRelease(good) || isRelease(bad)) return await releasesBetween(good, bad);
  const [from, to] = [
    await findRevision(server.folder, good),
    await findRevision(server.folder, bad),
  ];
  const range = `${from.commit}..${to.commit}`;
  const isAncestor = await git(from.repository, [
    "merge-base",
    "--is-ancestor",
    from.commit,
    to.commit,
  ]);
  if (isAncestor === null || from.commit === to.commit) {
    throw new UsageError(
      `Cannot bisect from ${good} to ${bad}: ${good} must be an ancestor of ${bad}`,
    );
  }
  const format = `--format=${["%H", "%P", "%s", "%an", "%as"].join("%x1f")}`;
  const read = async (...args: string[]): Promise<Candidate[]> => {
    const text = await git(from.repository, ["log", "--first-parent", format, ...args]);
    return (text ?? "").split("\n").map((line) => {
      const [name = "", parents = "", subject, author, date] = line.split(SEPARATOR);
      const about = `"${subject}" by ${author}, ${date}`;
      return { name, short: name.slice(0, 12), about, parents: parents.split(" ").length };
    });
  };
  const [first] = await read("-1", from.commit);
  const after = await read("--reverse", range);
  return { good: first as Candidate, after };
}

async function releasesBetween(good: string, bad: string): Promise<Candidates> {
  const [from, to] = [await findRelease(good), await findRelease(bad)];
  if (from.runtime !== to.runtime || compareVersions(from.version, to.version) >= 0) {
    throw new UsageError(
      `Cannot bisect from ${good} to ${bad}: give an older and a newer release of one runtime`,
    );
  }
  const candidateOf = (version: string): Candidate => {
    const name = nameOf({ ...from, version });
    return { name, short: name, about: "", parents: 1 };
  };
  const after = (await versionsOf(from.runtime)).filter((version) =>
    compareVersions(version, from.version) > 0 && compareVersions(version, to.version) <= 0
  );
  return { good: candidateOf(from.version), after: after.map(candidateOf) };
}
