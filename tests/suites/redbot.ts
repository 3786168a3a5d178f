import { Failure, messageOf } from "../../src/model/errors.ts";
import { lastLineOf, runProgram } from "./program.ts";
import { pythonProgram } from "./python.ts";
import type { CaseResult, Outcome, Subject, Suite, Tools } from "./suite.ts";

/** Timeout of one resource, in seconds. */
const TIMEOUT_S = 60;
const REDBOT_PROGRAM = pythonProgram("redbot", "3.11");

/** Resources that need no database. */
const PATHS = [
  ...["/", "/json", "/hello", "/plaintext", "/delay?every=1000000", "/primes?limit=1000"],
  ...["/static/words.txt", "/stream?events=3", "/nothing-there"],
];
/** Warnings that are no fault: a response without freshness information may be cached. */
const NO_FAULT = ["FRESHNESS_HEURISTIC"];

/** HTTP semantics: header fields, caching, content negotiation, validation. */
export const REDBOT: Suite = { id: "redbot", name: "HTTP semantics: REDbot 2.7.1", run };

async function run({ http }: Subject, { install }: Tools): Promise<Outcome> {
  const installed = await install(REDBOT_PROGRAM);
  if ("missing" in installed) return { kind: "missing", why: installed.missing };
  const results: CaseResult[] = [];
  for (const path of PATHS) {
    const printed = await runProgram(
      [`${installed.folder}/.venv/bin/redbot`, "--output-format", "har", http + path],
      { timeoutS: TIMEOUT_S },
    );
    try {
      results.push({
        id: path,
        what: "what its responses say",
        problem: readNotes(printed.stdout),
      });
    } catch (error) {
      throw new Failure(`REDbot: ${messageOf(error)}: ${lastLineOf(printed)}`);
    }
  }
  return { kind: "ran", results };
}

interface Note {
  readonly "note_id": string;
  readonly level: string;
  readonly summary: string;
}

/**
 * Returns the notes of a resource that report a fault; null without any.
 *
 * @throws {Error} if the text is not a report.
 */
export function readNotes(json: string): string | null {
  const { log: { entries } }: {
    log: { entries: readonly { _red_messages?: readonly Note[] }[] };
  } = JSON.parse(json);
  const notes = entries.flatMap((entry) => entry._red_messages ?? []);
  if (notes.length === 0) throw new Failure("there is no note");
  const faults = notes.filter(({ level, note_id: id }) =>
    (level === "BAD" || level === "WARN") && !NO_FAULT.includes(id)
  );
  return faults.length === 0 ? null : faults.map(({ summary }) => summary).join(" ");
}
