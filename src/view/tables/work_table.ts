import { headerDifferences } from "../../analysis/unequal_work.ts";
import { fixed, oneLine, UNKNOWN } from "../../model/text.ts";
import type { Work, WorkRecord } from "../../model/work.ts";
import { sum } from "../../stats/median.ts";
import { distinct } from "../format.ts";
import { type CaptionedTable, makeTable, numbers, type Table, words } from "../table.ts";

/** Headers that are printed with their values. */
const WITH_VALUE = ["content-encoding", "transfer-encoding"];

interface ServerWork {
  readonly server: string;
  /** Null if there is only a message. */
  readonly work: Work | null;
  readonly message: string;
  /** Headers that differ from those of most servers. */
  readonly otherHeaders: string;
}

/** Returns a table for each scenario, with a row for each server, and the headers that most have. */
export function workTables(
  records: readonly WorkRecord[],
): readonly Pick<CaptionedTable, "caption" | "table">[] {
  return distinct(records.map(({ scenario }) => scenario)).map((scenario) => {
    const own = records.filter((one) => one.scenario === scenario);
    const done = own.flatMap(({ outcome }) => outcome.kind === "done" ? [outcome] : []);
    const { usual, differences } = headerDifferences(done.map(({ headers }) => headers));
    const rows = own.map(({ server, outcome }): ServerWork => {
      if (outcome.kind !== "done") {
        const skipped = outcome.kind === "missing" ? "skipped" : "failed";
        const message = `${skipped}: ${oneLine(outcome.message)}`;
        return { server, work: null, message, otherHeaders: "" };
      }
      const { further = [], lacking = [] } = differences[done.indexOf(outcome)] ?? {};
      const names = [
        ...further.map((name) =>
          WITH_VALUE.includes(name) ? `${name}: ${outcome.headers[name]}` : name
        ),
        ...lacking.map((name) => `no ${name}`),
      ];
      return { server, work: outcome, message: "", otherHeaders: names.join(", ") };
    });
    return { caption: `${scenario}: most responses have ${usual.join(", ")}`, table: drawn(rows) };
  });
}

function drawn(rows: readonly ServerWork[]): Table {
  const cell = (text: (work: Work) => string) => ({ work }: ServerWork): string =>
    work === null ? UNKNOWN : text(work);
  const executed = ({ statements }: Work): number | null =>
    statements && sum(statements.map(({ perResponse }) => perResponse));
  const hasDatabase = rows.some(({ work }) => work?.statements);
  return makeTable(rows, [
    words("Server", ({ server }) => server),
    numbers(
      "Head",
      cell(({ headBytes }) => fixed(headBytes, 0)),
      0,
      "bytes of the status line and the headers, at a WebSocket those of the handshake",
    ),
    numbers(
      "Body",
      cell(({ bodyBytes }) => fixed(bodyBytes, 0)),
      0,
      "bytes of the body on the wire, at a WebSocket of a message, mean",
    ),
    numbers(
      "Sends",
      cell(({ sends }) => few(sends && sends.toClients)),
      0,
      "system calls that send to the client, per response",
    ),
    hasDatabase && numbers<ServerWork>(
      "To DB",
      cell(({ sends }) => few(sends && sends.toDatabase)),
      0,
      "system calls that send to the database, per response",
    ),
    hasDatabase && numbers<ServerWork>(
      "Statements",
      cell((work) => few(executed(work))),
      0,
      "executed statements without BEGIN and COMMIT, per response",
    ),
    hasDatabase && numbers<ServerWork>(
      "DB conns",
      cell(({ connections }) => connections === null ? UNKNOWN : String(connections)),
      0,
      "connections to the database while requests wait for locked tables",
    ),
    words("Other headers", ({ otherHeaders }) => otherHeaders),
  ], ({ server, work, message }) => work === null ? { cells: [server], rest: message } : {});
}

/** Formats a small count with at most two decimals. */
function few(count: number | null): string {
  return count === null ? UNKNOWN : String(Number(count.toFixed(2)));
}
