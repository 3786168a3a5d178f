import { fileURLToPath } from "node:url";
import { Failure } from "../../src/model/errors.ts";
import { lastLineOf, runProgram } from "./program.ts";
import type { CaseResult, Outcome, Program, Subject, Suite, Tools } from "./suite.ts";

/**
 * A route that responds after 100 ms. Cases about closed streams race with the response
 * ([h2spec#89](https://github.com/summerwind/h2spec/issues/89)); here their frames arrive first.
 */
const PATH = "/hello-later";
/** A case fails if it fails this many times: on a busy machine a race can still be lost. */
const TRIES = 3;
/** Timeout of one case, in seconds. */
const CASE_TIMEOUT_S = 5;
/** Timeout of all cases together, in seconds; a failing case takes its whole timeout. */
const TIMEOUT_S = 300;

/** h2spec, pinned by its lock file. */
export const H2SPEC_PROGRAM: Program = {
  id: "h2spec",
  name: "h2spec",
  folder: fileURLToPath(new URL("./h2spec/", import.meta.url)),
  sources: ".",
  requires: [
    {
      command: ["go", "version"],
      minimum: "1.24",
      install: "install Go 1.24+, https://go.dev/doc/install",
    },
  ],
  prepare: [["go", "build", "-o", "bin/h2spec", "github.com/summerwind/h2spec/cmd/h2spec"]],
};

/** HTTP/2 over TLS. */
export const H2SPEC: Suite = { id: "h2spec", name: "HTTP/2: h2spec 2.2.1, over TLS", run };

async function run({ https }: Subject, { install, makeFolder }: Tools): Promise<Outcome> {
  const installed = await install(H2SPEC_PROGRAM);
  if ("missing" in installed) return { kind: "missing", why: installed.missing };
  const folder = await makeFolder();
  let results: readonly CaseResult[] | null = null;
  for (let left = TRIES; left > 0; left--) {
    const some = await runOnce(`${installed.folder}/bin/h2spec`, https, `${folder}/${left}.xml`);
    results = results === null ? some : bestOf(results, some);
    if (results.every(({ problem }) => problem === null)) break;
  }
  return { kind: "ran", results: results ?? [] };
}

async function runOnce(program: string, origin: string, report: string): Promise<CaseResult[]> {
  const { hostname, port } = new URL(origin);
  const printed = await runProgram(
    [
      ...[program, "--host", hostname, "--port", port, "--path", PATH, "--tls", "--insecure"],
      ...["--timeout", String(CASE_TIMEOUT_S), "--junit-report", report],
    ],
    { timeoutS: TIMEOUT_S },
  );
  const results = readJunit(await Deno.readTextFile(report).catch(() => ""));
  if (results.length === 0) throw new Failure(`h2spec ran no case: ${lastLineOf(printed)}`);
  return results;
}

/** Merges two runs: a case that passed once has passed. */
function bestOf(some: readonly CaseResult[], others: readonly CaseResult[]): CaseResult[] {
  const passed = new Map(
    others.filter(({ problem }) => problem === null).map((result) => [result.id, result]),
  );
  return some.map((result) => passed.get(result.id) ?? result);
}

/** Reads the cases of h2spec's report, with its numbering: `http2/5.1/8`. */
export function readJunit(xml: string): CaseResult[] {
  const counts = new Map<string, number>();
  const cases = xml.matchAll(
    /<testcase package="([^"]*)" classname="([^"]*)"[^>]*>([^]*?)<\/testcase>/g,
  );
  return [...cases].map(([, section = "", what = "", inside = ""]) => {
    const number = (counts.get(section) ?? 0) + 1;
    counts.set(section, number);
    const isPassed = !/<(failure|error)/.test(inside);
    const text = inside.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim();
    return {
      id: `${section}/${number}`,
      what: what.replaceAll("&#34;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&"),
      problem: isPassed ? null : text || "failed",
    };
  });
}
