/** Conformance suites, their results, and the failures that are known. */
import type { Buildable } from "../../src/target/build.ts";

/** The servers that suites test: the same one, with and without TLS. */
export interface Subject {
  /** `http://127.0.0.1:…`; the server speaks HTTP/1.1 and WebSocket there. */
  readonly http: string;
  /** `https://127.0.0.1:…`; the server speaks HTTP/1.1 and HTTP/2 there. */
  readonly https: string;
  /** Path of the certificate of `https`. */
  readonly certificate: string;
}

/** One case that was run. */
export interface CaseResult {
  /** As the suite numbers it. */
  readonly id: string;
  readonly what: string;
  /** Why it failed; null: it passed. */
  readonly problem: string | null;
}

/** What a suite says; `missing` if its program cannot be had on this machine. */
export type Outcome =
  | { readonly kind: "ran"; readonly results: readonly CaseResult[] }
  | { readonly kind: "missing"; readonly why: string };

/** A suite that can be run by its id: `deno task test:suites ID`. */
export interface Suite {
  readonly id: string;
  /** The protocol, and where the cases come from. */
  readonly name: string;
  /** @throws {Failure} if its program is there and fails. */
  run(subject: Subject, tools: Tools): Promise<Outcome>;
}

/** What suites may use. */
export interface Tools {
  /** Installs a program; its folder, or why that cannot be. */
  readonly install: (program: Program) => Promise<Installed>;
}

/** A program from a package registry; what its lock file pins is installed in a copy of its folder. */
export type Program = Buildable;

/** Where a program was installed. */
export type Installed =
  | { readonly folder: string }
  | { readonly missing: string };

/** Cases of a suite that are known to fail, with the reason. */
export interface KnownFailure {
  /** The suite's id. */
  readonly suite: string;
  /** Ids of cases. */
  readonly cases: readonly string[];
  /** The project that would have to change. */
  readonly owner: "Deno" | "Stampede";
  readonly why: string;
  /** The issue, or the line of code, that says so. */
  readonly link?: string;
  /** Whether the cases fail only sometimes; otherwise one that passes has to leave the list. */
  readonly isUnsteady?: boolean;
}

/** Results of a suite, sorted by what is known. */
export interface Judged {
  readonly passed: number;
  /** Failures that no entry explains. */
  readonly failed: readonly CaseResult[];
  readonly known: readonly { readonly result: CaseResult; readonly failure: KnownFailure }[];
  /** Ids of cases that are listed as failures and passed. */
  readonly stale: readonly string[];
}

/** Sorts the results of a suite by its known failures. */
export function judge(
  suite: string,
  results: readonly CaseResult[],
  known: readonly KnownFailure[],
): Judged {
  const own = known.filter((failure) => failure.suite === suite);
  const entryOf = ({ id }: CaseResult): KnownFailure | undefined =>
    own.find(({ cases }) => cases.includes(id));
  const isPassed = ({ problem }: CaseResult): boolean => problem === null;
  const failures = results.filter((result) => !isPassed(result));
  return {
    passed: results.filter(isPassed).length,
    failed: failures.filter((result) => entryOf(result) === undefined),
    known: failures.flatMap((result) => {
      const failure = entryOf(result);
      return failure === undefined ? [] : [{ result, failure }];
    }),
    stale: results.filter((result) => {
      const entry = entryOf(result);
      return isPassed(result) && entry !== undefined && entry.isUnsteady !== true;
    }).map(({ id }) => id),
  };
}
