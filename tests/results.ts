/** The result of a test, or of a step of a test. */
export interface Result {
  readonly file: string;
  readonly name: string;
  readonly isStep: boolean;
  readonly status: "passed" | "failed" | "ignored";
  readonly tookS: number;
  /** The failure's message; absent if only a step of the test failed. */
  readonly why?: string;
}

/** What Deno wrote of a lane, in the format of JUnit. */
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

/** Entities of XML's special characters. */
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
 * Whether a line that Deno prints while tests run says more than that one began, passed or was
 * ignored; those that were ignored are listed at the end.
 */
export function isNews(line: string): boolean {
  return line.trim() !== "" && !/^running \d+ tests? from /.test(line) &&
    !/ \.\.\.( (ok|ignored) .*)?$/.test(line) && !/^Check /.test(line) &&
    !/^(ok|FAILED) \| /.test(line) && !/^-+ (post-test )?output( end)? -+$/.test(line);
}

/**
 * Returns the last line, in Deno's format: it counts tests and ignored steps. A test with only ignored
 * steps has not passed.
 *
 * @param codes the exit codes of the lanes; any other code than 0 is a failure, even without a failed test
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

/** Whether a test has steps and all of them were ignored: Deno says that it passed. */
function isHollow({ file, name }: Result, results: readonly Result[]): boolean {
  const steps = results.filter((one) =>
    one.isStep && one.file === file && one.name.startsWith(`${name} > `)
  );
  return steps.length > 0 && steps.every(({ status }) => status === "ignored");
}

/** A length of time, such as `3m20s`. */
export function elapsed(ms: number): string {
  const all = Math.round(ms / 1000);
  return all < 60 ? `${all}s` : `${Math.floor(all / 60)}m${all % 60}s`;
}

/** Seconds, such as ` 12.3 s`. */
export function seconds(s: number): string {
  return `${s.toFixed(1).padStart(5)} s`;
}
