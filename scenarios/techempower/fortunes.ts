import { Mismatch } from "../../src/model/errors.ts";
import type { HttpResponse, Scenario } from "../../src/model/scenario.ts";
import { check, expectEqual, expectHead, expectNamed, get } from "../expect.ts";
import { OF_DATABASE } from "../usual.ts";

interface Fortune {
  readonly id: number;
  readonly message: string;
}

const request = get("/fortunes");
/** The row that each response has in addition to those of the database. */
const ADDED: Fortune = { id: 0, message: "Brewed for this very request." };

const PAGE =
  /^\s*<!doctype html>\s*<html[^>]*>\s*<head>.*<title>Fortunes<\/title>.*<\/head>\s*<body>\s*<table>(?<rows>.*)<\/table>\s*<\/body>\s*<\/html>\s*$/is;
const HEADING =
  /^\s*(<thead>)?\s*<tr>\s*<th>id<\/th>\s*<th>message<\/th>\s*<\/tr>\s*(<\/thead>)?\s*/i;
const ROW = /<tr>\s*<td>(\d+)<\/td>\s*<td>([^<>]*)<\/td>\s*<\/tr>/gi;
/** Matches the tags and white space that are allowed around rows. */
const AROUND = /<\/?tbody>|\s+/gi;
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Replaces all HTML escapes in a text, named and numeric ones, by their characters. */
function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi,
    (all, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
      return String.fromCodePoint(hex === undefined ? Number(decimal) : parseInt(hex, 16));
    },
  );
}

/** Returns the fortunes of a page, in its order; throws a `Mismatch` if it differs from the contract. */
function expectPage(response: HttpResponse): Fortune[] {
  expectHead(response, 200, "text/html;charset=utf-8");
  expectNamed(response);
  const rows = PAGE.exec(response.text)?.groups?.rows;
  if (rows === undefined || !HEADING.test(rows)) {
    throw new Mismatch("a page with a table of fortunes", response.text.slice(0, 120));
  }
  const body = rows.replace(HEADING, "");
  const rest = body.replaceAll(ROW, "").replaceAll(AROUND, "");
  if (rest !== "") throw new Mismatch("rows of escaped text", rest.slice(0, 120));
  return [...body.matchAll(ROW)].map(([, id, message = ""]) => ({
    id: Number(id),
    message: unescaped(message),
  }));
}

/** The rows of a small table and one more, sorted, in a page with escaped text. */
export const fortunes: Scenario = {
  ...OF_DATABASE,
  id: "fortunes",
  title: "12 rows plus one, sorted, as an HTML page",
  request,
  checks: [
    check(
      "returns the database's fortunes and its own, sorted and escaped",
      request,
      async (response, facts) => {
        const rows = await facts.rows("SELECT id, message FROM fortune") as Fortune[];
        const expected = [...rows, ADDED].sort((a, b) => a.message < b.message ? -1 : 1);
        expectEqual(expectPage(response), expected);
      },
    ),
  ],
  expect: (response) => void expectPage(response),
  isDefault: false,
};
