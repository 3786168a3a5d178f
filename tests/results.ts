/** Outcome of a test, or of a step of a test. */
export interface Result {
  readonly file: string;
  readonly name: string;
  readonly isStep: boolean;
  readonly status: "passed" | "failed" | "ignored";
  readonly tookS: number;
  /** Message of a failure; absent for a test that failed only by a step. */
  readonly why?: string;
}

/** Reads the JUnit output of Deno for a lane. */
export function readResults(xml: string): Result[] {
  return [...xml.matchAll(/<testsuite name="([^"]*)".*?<\/testsuite>/gs)].flatMap(
    ([suite, file = ""]) => {
      const cases = [
        ...suite.matchAll(/<testcase name="([^"]*)"[^>]* time="([^"]*)"[^>]*>(.*?)<\/testcase>/gs),
      ];
      const names = new Set(cases.map(([, name = ""]) => name));
      return cases.map(([, name = "", time, inner = ""]): Result => ({
        file: text(file).replace(/^\.\//, ""),
        name: text(name),
        isStep: names.has(name.slice(0, Math.max(0, name.lastIndexOf(" &gt; ")))),
        status: inner.includes("<failure")
          ? "failed"
          : inner.includes("<skipped")
          ? "ignored"
          : "passed",
        tookS: Number(time),
        ...failure(inner),
      }));
    },
  );
}

function failure(inner: string): { why?: string } {
  const [, why] = /<failure[^>]*>(.*?)<\/failure>/s.exec(inner) ?? [];
  return why === undefined || /^\d+ test steps? failed\.$/.test(why) ? {} : { why: text(why) };
}

/** XML's predefined entities. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

function text(xml: string): string {
  return xml.replaceAll(/&#x([0-9A-Fa-f]+);/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16)))
    .replaceAll(/&(lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/**
 * Returns whether a line of Deno's output is news: not just that a test began, passed or was ignored. Ignored
 * tests are listed at the end.
 */
export function isNews(line: string): boolean {
  return line.trim() !== "" && !/^running \d+ tests? from /.test(line) &&
    !/ \.\.\.( (ok|ignored) .*)?$/.test(line) && !/^Check /.test(line) &&
    !/^(ok|FAILED) \| /.test(line) && !/^-+ (post-test )?output( end)? -+$/.test(line);
}

/**
 * Returns the last line, in Deno's form. It counts tests, and of the steps the ignored ones. A test with only
 * ignored steps has not passed.
 *
 * @param codes exit codes of the lanes; any other than 0 is a failure
 */
export function total(
  results: readonly Result[],
  codes: readonly number[],
  tookMs: number,
): { line: string; isFine: boolean } {
  const tests = results.filter(({ isStep }) => !isStep);
  const passed =
    tests.filter((test) => test.status === "passed" && !isHollow(test, results)).length;
  const told = tests.filter(({ status }) => status === "failed").length;
  const failed = told === 0 && codes.some((code) => code !== 0) ? 1 : told;
  const ignored = results.filter(({ status }) => status === "ignored").length;
  const isFine = failed === 0 && passed > 0;
  return {
    line: `${
      isFine ? "ok" : "FAILED"
    } | ${passed} passed | ${failed} failed | ${ignored} ignored (${elapsed(tookMs)})`,
    isFine,
  };
}

/** The end of a lane: its files, Deno's exit code, and the results of tests and steps. */
export interface LaneEnd {
  readonly files: readonly string[];
  readonly code: number;
  /** Failures that Deno's last line counts: also errors outside of tests, which have no result. */
  readonly failures: number;
  readonly results: readonly Result[];
}

/** Reads the number of failures from Deno's last line; 0 from any other line. */
export function failuresIn(line: string): number {
  const [, failures] = /^(?:ok|FAILED) \| \d+ passed.*? \| (\d+) failed/.exec(line) ?? [];
  return Number(failures ?? 0);
}

/** Returns the files of failed tests; none if a lane failed for another reason as well. */
export function failedFiles(ends: readonly LaneEnd[]): string[] {
  const failed = ends.filter(({ code }) => code !== 0);
  return failed.every(isExplained)
    ? failed.flatMap((end) => [...new Set(failuresOf(end).map(({ file }) => file))])
    : [];
}

function failuresOf({ results }: LaneEnd): Result[] {
  return results.filter(({ status, isStep }) => status === "failed" && !isStep);
}

/** Returns whether failed tests of its own files are the only failures of a lane. */
function isExplained(end: LaneEnd): boolean {
  const own = failuresOf(end);
  return own.length === end.failures && own.every(({ file }) => end.files.includes(file));
}

/** Returns the failures of lanes that passed in the lane `again`. */
export function recovered(ends: readonly LaneEnd[], again: LaneEnd): Result[] {
  return ends.flatMap(({ results }) =>
    results.filter(({ file, name, status }) =>
      status === "failed" &&
      again.results.some((one) => one.file === file && one.name === name && one.status !== "failed")
    )
  );
}

/** Returns a lane without its failed files, which run again: it has not failed then. */
export function withoutFailed(end: LaneEnd): LaneEnd {
  const again = failedFiles([end]);
  if (again.length === 0) return end;
  const files = end.files.filter((file) => !again.includes(file));
  const results = end.results.filter(({ file }) => !again.includes(file));
  return { files, code: 0, failures: 0, results };
}

/** Returns whether a test has only ignored steps. Deno counts it as passed. */
function isHollow({ file, name }: Result, results: readonly Result[]): boolean {
  const steps = results.filter((one) =>
    one.isStep && one.file === file && one.name.startsWith(`${name} > `)
  );
  return steps.length > 0 && steps.every(({ status }) => status === "ignored");
}

/** Formats a duration, such as `3m20s`. */
export function elapsed(ms: number): string {
  const all = Math.round(ms / 1000);
  return all < 60 ? `${all}s` : `${Math.floor(all / 60)}m${all % 60}s`;
}

/** Formats seconds, such as ` 12.3 s`. */
export function seconds(s: number): string {
  return `${s.toFixed(1).padStart(5)} s`;
}
