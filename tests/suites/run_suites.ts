import { Failure, messageOf } from "../../src/model/errors.ts";
import type { ProcessScope } from "../../src/process/scope.ts";
import { useTls } from "../../src/process/tls_client.ts";
import { build } from "../../src/target/build.ts";
import { cacheFolder } from "../../src/target/build.ts";
import { readCatalog } from "../../src/target/catalog.ts";
import { launch } from "../../src/target/launch.ts";
import { Toolchain } from "../../src/target/toolchain.ts";
import { KNOWN } from "./known.ts";
import {
  type Installed,
  judge,
  type Judged,
  type KnownFailure,
  type Outcome,
  type Program,
  type Subject,
  type Suite,
} from "./suite.ts";

/** A suite and its outcome. */
export interface Finished {
  readonly suite: Suite;
  readonly outcome: Outcome | { readonly kind: "broken"; readonly why: string };
}

/** Prints a line. */
export type Say = (line: string) => void;

/** Starts Stampede's own server with and without TLS; both end with the scope. */
export async function startSubject(scope: ProcessScope): Promise<Subject> {
  const server = (await readCatalog()).get("deno");
  if (server === undefined) throw new Error("There is no manifest for deno");
  const options = { env: {} };
  const plain = await launch(scope, server, options);
  using tls = await useTls("h2", await scope.makeFolder());
  const secured = await launch(scope, server, options);
  return { http: plain.origin, https: secured.origin, certificate: tls.certPath };
}

/**
 * Runs suites one after the other and prints a table of results, then every failure.
 *
 * @returns whether every case passed, or is a known failure
 */
export async function runSuites(
  scope: ProcessScope,
  suites: readonly Suite[],
  say: Say,
): Promise<boolean> {
  const subject = await startSubject(scope);
  const tools = { install: installer(scope, say), makeFolder: () => scope.makeFolder() };
  const finished: Finished[] = [];
  for (const suite of suites) {
    say(`${suite.name} …`);
    const outcome = await suite.run(subject, tools).catch((error) => {
      if (!(error instanceof Failure)) throw error;
      return { kind: "broken" as const, why: messageOf(error) };
    });
    finished.push({ suite, outcome });
  }
  const { lines, isFine } = summary(finished, KNOWN);
  for (const line of lines) say(line);
  return isFine;
}

/** Returns a function that installs programs into Stampede's build cache. */
function installer(scope: ProcessScope, say: Say): (program: Program) => Promise<Installed> {
  const toolchain = new Toolchain();
  return async (program) => {
    const missing = await toolchain.missing(program);
    if (missing !== null) return { missing };
    try {
      const { folder } = await build(program, {
        scope,
        toolchain,
        cache: cacheFolder(null, (name) => Deno.env.get(name)),
        onCommand: (command) => say(`  ${command}`),
        onOutput: () => {},
        onWait: () => say("  waiting for another Stampede that is installing it"),
        abort: new AbortController().signal,
      });
      return { folder };
    } catch (error) {
      // An unreachable registry is not the server's fault
      if (error instanceof Failure) return { missing: messageOf(error) };
      throw error;
    }
  };
}

/** Returns the table of suites with every failure, and whether all of them are known. */
export function summary(
  finished: readonly Finished[],
  known: readonly KnownFailure[],
): { readonly lines: string[]; readonly isFine: boolean } {
  const width = Math.max("suite".length, ...finished.map(({ suite }) => suite.name.length));
  const row = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(7))].join(" ");
  const judged = finished.map(({ suite, outcome }) => ({
    suite,
    outcome,
    verdict: outcome.kind === "ran" ? judge(suite.id, outcome.results, known) : null,
  }));
  const table = judged.map(({ suite, outcome, verdict }) =>
    verdict === null
      ? `${suite.name.padEnd(width)} ${outcome.kind}: ${outcome.kind === "ran" ? "" : outcome.why}`
      : row(suite.name, [verdict.passed, verdict.failed.length, verdict.known.length])
  );
  const details = judged.flatMap(({ suite, verdict }) =>
    verdict === null ? [] : detailsOf(suite, verdict)
  );
  const isFine = judged.every(({ outcome, verdict }) =>
    outcome.kind !== "broken" && (verdict?.failed.length ?? 0) + (verdict?.stale.length ?? 0) === 0
  );
  return { lines: [row("suite", ["passed", "failed", "known"]), ...table, ...details], isFine };
}

function detailsOf({ id }: Suite, { failed, known, stale }: Judged): string[] {
  const failures = failed.map((result) =>
    `FAILED ${id} ${result.id}, ${result.what}: ${result.problem}`
  );
  const entries = Map.groupBy(known, ({ failure }) => failure);
  const explained = [...entries].map(([{ owner, why, link }, results]) =>
    `known, ${owner}'s: ${id} ${results.map(({ result }) => result.id).join(", ")}: ${why}` +
    (link === undefined ? "" : ` (${link})`)
  );
  const passed = stale.map((one) =>
    `PASSED ${id} ${one}, a known failure: remove it from tests/suites/known.ts`
  );
  return [...failures, ...passed, ...explained];
}
