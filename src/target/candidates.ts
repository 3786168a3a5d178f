/** Finds the states of a server between a good and a bad one, for a bisection: commits or releases. */
import { UsageError } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import { git } from "../process/git.ts";
import type { ProcessScope } from "../process/scope.ts";
import { compareVersions, findRelease, isRelease, nameOf, versionsOf } from "./runtimes.ts";
import { findRevision, findState, type State, type StateContext } from "./state.ts";

/** A state of a server that may be slow. */
export interface Candidate {
  /** Identifies it: the commit, or the release. */
  readonly id: string;
  /** Short name for tables. */
  readonly label: string;
  /** Name for the result, with author and date. */
  readonly about: string;
  /** How to search inside it, if it combines several changes, as a merge does; null otherwise. */
  readonly inside: string | null;
  /** Makes the server. Its files exist until the scope ends. Throws like {@linkcode findState}. */
  readonly state: (scope: ProcessScope) => Promise<State>;
}

export interface Candidates {
  /** The place that the candidates come from: the repository, or the name of the runtime. */
  readonly origin: string;
  readonly good: Candidate;
  /** All after good, in order; the last one is bad. */
  readonly later: readonly [Candidate, ...Candidate[]];
}

/** Fields of a commit for git: https://git-scm.com/docs/pretty-formats */
const FIELDS = "--format=%H%x09%h%x09%P%x09%an%x09%as%x09%s";

/**
 * Finds the commits after `good` up to `bad`, along first parents, or the releases of one runtime. Throws
 * a `UsageError` if a revision or a release is unknown, both are the same, or `bad` does not follow `good`.
 */
export async function candidatesBetween(
  server: Server,
  [good, bad]: readonly [string, string],
  context: Omit<StateContext, "scope">,
): Promise<Candidates> {
  if (isRelease(good) || isRelease(bad)) return await releasesBetween(server, good, bad, context);
  const { repository, commit: first } = await findRevision(server.folder, good);
  const { commit: last } = await findRevision(server.folder, bad);
  const isAncestor = async (a: string, b: string): Promise<boolean> =>
    await git(repository, ["merge-base", "--is-ancestor", a, b]) !== null;
  if (first === last) {
    throw new UsageError(`Cannot bisect: ${good} and ${bad} are the same commit`);
  }
  if (!await isAncestor(first, last)) {
    const hint = await isAncestor(last, first)
      ? "it comes after it; exchange the two"
      : `give a commit that both contain, such as --good $(git merge-base ${good} ${bad})`;
    throw new UsageError(`Cannot bisect: ${good} is not an ancestor of ${bad}: ${hint}`);
  }
  const candidatesOf = async (...range: readonly string[]): Promise<Candidate[]> => {
    const text = await git(repository, [
      "log",
      "--no-show-signature",
      "--first-parent",
      "--reverse",
      FIELDS,
      ...range,
    ]);
    return (text ?? "").split("\n").filter((line) => line !== "").map((line) => {
      const [id = "", short = "", parents = "", author, date, ...subject] = line.split("\t");
      const title = subject.join(" ");
      const [, second] = parents.split(" ");
      const inside = `--good $(git merge-base ${short}^1 ${short}^2) --bad ${short}^2`;
      return {
        id,
        label: `${short} ${title}`,
        about: `${short} ${title} by ${author}, ${date}`,
        inside: second === undefined ? null : inside,
        state: (scope) => findState(server, id, { ...context, scope }),
      };
    });
  };
  const [start] = await candidatesOf("-1", first);
  const [next, ...others] = await candidatesOf(`${first}..${last}`);
  if (start === undefined || next === undefined) {
    throw new UsageError(`Cannot bisect: git cannot list the commits from ${good} to ${bad}`);
  }
  return { origin: repository, good: start, later: [next, ...others] };
}

async function releasesBetween(
  server: Server,
  good: string,
  bad: string,
  context: Omit<StateContext, "scope">,
): Promise<Candidates> {
  const [from, to] = [await findRelease(good), await findRelease(bad)];
  if (from.runtime !== to.runtime || compareVersions(from.version, to.version) >= 0) {
    throw new UsageError(
      `Cannot bisect: ${bad} is not a later release of the same runtime as ${good}`,
    );
  }
  const { runtime } = from;
  const candidateOf = (version: string): Candidate => {
    const id = nameOf({ runtime, version });
    const state: Candidate["state"] = (scope) => findState(server, id, { ...context, scope });
    return { id, label: id, about: id, inside: null, state };
  };
  const [next, ...others] = (await versionsOf(runtime)).filter((version) =>
    compareVersions(version, from.version) > 0 && compareVersions(version, to.version) < 0
  ).map(candidateOf);
  const last = candidateOf(to.version);
  const later = next === undefined ? [last] as const : [next, ...others, last] as const;
  return { origin: runtime, good: candidateOf(from.version), later };
}
