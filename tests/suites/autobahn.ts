import { Failure } from "../../src/model/errors.ts";
import { lastLineOf, runProgram } from "./program.ts";
import { pythonProgram } from "./python.ts";
import type { CaseResult, Outcome, Subject, Suite, Tools } from "./suite.ts";

/** Groups about permessage-deflate, which Deno does not support. */
const COMPRESSION = ["12.*", "13.*"];
/** Timeout of all cases together, in seconds. */
const TIMEOUT_S = 400;
/** Verdicts that count as passed: `NON-STRICT` and `INFORMATIONAL` are allowed by the RFC. */
const PASSED = ["OK", "NON-STRICT", "INFORMATIONAL"];

/**
 * Runs Autobahn's own case files on Python 3; the original runner needs Python 2.
 * https://github.com/curioswitch/kosoku
 */
const KOSOKU = pythonProgram("autobahn", "3.10");

/** WebSocket. */
export const AUTOBAHN: Suite = {
  id: "autobahn",
  name: "WebSocket: Autobahn's cases, by kosoku 0.1.0",
  run,
};

async function run({ http }: Subject, { install, makeFolder }: Tools): Promise<Outcome> {
  const installed = await install(KOSOKU);
  if ("missing" in installed) return { kind: "missing", why: installed.missing };
  const folder = await makeFolder();
  const printed = await runProgram(
    [
      ...[`${installed.folder}/.venv/bin/kosoku`, "--mode", "fuzzingclient", "--outdir", folder],
      ...COMPRESSION.flatMap((group) => ["--exclude", group]),
      `${http.replace("http", "ws")}/echo`,
    ],
    { timeoutS: TIMEOUT_S },
  );
  const index = await Deno.readTextFile(`${folder}/index.json`).catch(() => null);
  if (index === null) throw new Failure(`kosoku wrote no report: ${lastLineOf(printed)}`);
  return { kind: "ran", results: readIndex(index) };
}

/** Reads the cases of Autobahn's report. */
export function readIndex(json: string): CaseResult[] {
  const servers: Record<
    string,
    Record<string, { behavior: string; behaviorClose: string; remoteCloseCode: number | null }>
  > = JSON.parse(json);
  return Object.values(servers).flatMap((cases) =>
    Object.entries(cases).map(([id, { behavior, behaviorClose, remoteCloseCode }]) => {
      const isPassed = PASSED.includes(behavior) && PASSED.includes(behaviorClose);
      const code = remoteCloseCode === null ? "" : `, closed with ${remoteCloseCode}`;
      return {
        id,
        what: GROUPS[id.split(".")[0] ?? ""] ?? "",
        problem: isPassed ? null : `${behavior}, end ${behaviorClose}${code}`,
      };
    })
  );
}

/** Subjects of the groups. */
const GROUPS: Readonly<Record<string, string>> = {
  1: "framing",
  2: "pings and pongs",
  3: "reserved bits",
  4: "opcodes",
  5: "fragmentation",
  6: "UTF-8",
  7: "the end of a connection",
  9: "large messages",
  10: "fragmentation by the client",
};
