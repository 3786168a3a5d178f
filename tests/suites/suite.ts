/** Conformance suites, their results and their known failures. */
import type { build } from "../../src/target/build.ts";

/** The server under test, with and without TLS. */
export interface Subject {
  /** `http://127.0.0.1:…`, for HTTP/1.1 and WebSocket. */
  readonly http: string;
  /** `https://127.0.0.1:…`, for HTTP/1.1 and HTTP/2. */
  readonly https: string;
  /** Path of the certificate of `https`. */
  readonly certificate: string;
}

/** Result of one case. */
export interface CaseResult {
  /** The suite's own number or name. */
  readonly id: string;
  readonly what: string;
  /** Why it failed; null: it passed. */
  readonly problem: string | null;
}

/** Outcome of a suite; `missing` if its program cannot be installed. */
export type Outcome =
  | { readonly kind: "ran"; readonly results: readonly CaseResult[] }
  | { readonly kind: "missing"; readonly why: string };

/** A suite; `deno task test:suites ID` runs only this one. */
export interface Suite {
  readonly id: string;
  /** The protocol and the source of the cases. */
  readonly name: string;
  /** @throws {Failure} if its program is installed but does not work. */
  run(subject: Subject, tools: Tools): Promise<Outcome>;
}

/** Services for suites. */
export interface Tools {
  /** Installs a program. */
  readonly install: (program: Program) => Promise<Installed>;
  /** Makes a temporary folder, which is removed after the run. */
  readonly makeFolder: () => Promise<string>;
}

/** A program from a package registry, pinned by the lock files in its folder. */
export type Program = Parameters<typeof build>[0];

/** The folder of an installed program, or why it cannot be installed. */
export type Installed =
  | { readonly folder: string }
  | { readonly missing: string };

/** Cases that are known to fail for the same reason. */
export interface KnownFailure {
  /** The suite's id. */
  readonly suite: string;
  /** Ids of cases. */
  readonly cases: readonly string[];
  /** The project that would have to change. */
  readonly owner: "Deno" | "Stampede";
  readonly why: string;
  /** The issue, or the source file, that shows it. */
  readonly link?: string;
  /** Failures with another message are not known; absent: all failures of the cases are. */
  readonly problem?: RegExp;
  /** The cases fail only sometimes; otherwise a case that passes must be removed from the list. */
  readonly isUnsteady?: boolean;
}

/** Results of a suite after comparison with its known failures. */
export interface Judged {
  readonly passed: number;
  /** Failures that are not listed. */
  readonly failed: readonly CaseResult[];
  readonly known: readonly { readonly result: CaseResult; readonly failure: KnownFailure }[];
  /** Ids of listed cases that passed. */
  readonly stale: readonly string[];
}

/** Compares the results of a suite with its known failures. */
export function judge(
  suite: string,
  results: readonly CaseResult[],
  known: readonly KnownFailure[],
): Judged {
  const own = known.filter((failure) => failure.suite === suite);
  const entryOf = ({ id }: CaseResult): KnownFailure | undefined =>
    own.find(({ cases }) => cases.includes(id));
  const isKnown = (result: CaseResult): boolean => {
    const entry = entryOf(result);
    return entry !== undefined && (entry.problem?.test(result.problem ?? "") ?? true);
  };
  const isPassed = ({ problem }: CaseResult): boolean => problem === null;
  const failures = results.filter((result) => !isPassed(result));
  return {
    passed: results.filter(isPassed).length,
    failed: failures.filter((result) => !isKnown(result)),
    known: failures.filter(isKnown).flatMap((result) => {
      const failure = entryOf(result);
      return failure === undefined ? [] : [{ result, failure }];
    }),
    stale: results.filter((result) => {
      const entry = entryOf(result);
      return isPassed(result) && entry !== undefined && entry.isUnsteady !== true;
    }).map(({ id }) => id),
  };
}
