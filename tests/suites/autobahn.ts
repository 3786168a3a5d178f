import { Failure } from "../../src/model/errors.ts";
import { lastLineOf, runProgram } from "./program.ts";
import { pythonProgram } from "./python.ts";
import type { CaseResult, Outcome, Subject, Suite, Tools } from "./suite.ts";

/** Groups of cases about permessage-deflate, which Deno does not offer. */
const COMPRESSION = ["12.*", "13.*"];
/** How long all cases may take. */
const TIMEOUT_S = 400;
/** Verdicts of Autobahn that are no failure: `NON-STRICT` and `INFORMATIONAL` allow either way. */
const PASSED = ["OK", "NON-STRICT", "INFORMATIONAL"];

/**
 * Autobahn's own cases, run by kosoku: the original runner needs Python 2.
 * https://github.com/curioswitch/kosoku
 */
const KOSOKU = pythonProgram("autobahn", "3.10");

/** WebSocket. */
export const AUTOBAHN: Suite = {
  id: "autobahn",
  name: "WebSocket: Autobahn's cases, by kosoku 0.1.0",
  run,
};

async function run({ http }: Subject, { install }: Tools): Promise<Outcome> {
  const installed = await install(KOSOKU);
  if ("missing" in installed) return { kind: "missing", why: installed.missing };
  const folder = await Deno.makeTempDir({ prefix: "autobahn-" });
  try {
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
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The cases of Autobahn's report. */
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

/** What the groups are about; the reports of single cases have more. */
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
