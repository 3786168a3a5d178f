import { Eta } from "eta";
import type { ServerDatabase, Statement } from "../database.ts";
import type { RouteHandler } from "../router.ts";
import { NAMED } from "./plain.ts";

interface Fortune {
  readonly id: number;
  readonly message: string;
}

const ALL_FORTUNES: Statement = { name: "fortunes", text: "SELECT id, message FROM fortune" };
/** The row that each response adds, by TechEmpower's rules. */
const ADDED: Fortune = { id: 0, message: "Brewed for this very request." };
const HTML = { headers: { "content-type": "text/html;charset=utf-8", ...NAMED } };
const TEMPLATE = `<!DOCTYPE html>
<html>
<head><title>Fortunes</title></head>
<body>
<table>
<tr><th>id</th><th>message</th></tr>
<% for (const { id, message } of it) { %>
<tr><td><%= id %></td><td><%= message %></td></tr>
<% } %>
</table>
</body>
</html>
`;

/**
 * Returns the handler of `GET /fortunes`: it sends the rows and one more, sorted, as a page with
 * escaped text.
 */
export function fortunes(database: ServerDatabase): RouteHandler {
  const eta = new Eta();
  const page = eta.compile(TEMPLATE);
  return async (request) => {
    const rows = await database.query(ALL_FORTUNES, [], request) as Fortune[];
    const sorted = [...rows, ADDED].sort((a, b) => a.message < b.message ? -1 : 1);
    return new Response(eta.render(page, sorted), HTML);
  };
}
