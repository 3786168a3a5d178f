import { escapeHTML, type SQL } from "bun";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "./world.ts";

interface Fortune {
  readonly id: number;
  readonly message: string;
}

const ADDED: Fortune = { id: 0, message: "Brewed for this very request." };
const NAMED = { server: "Bun" };
const PLAIN = { headers: { ...NAMED, "content-type": "text/plain" } };
const HTML = { headers: { ...NAMED, "content-type": "text/html; charset=utf-8" } };

/** The routes of TechEmpower's tests. */
export function techempower(sql: SQL) {
  const rows = (answer: (sql: SQL, count: number) => Promise<unknown>) => ({
    async GET(request: Request) {
      const { searchParams } = new URL(request.url);
      const count = countOf(searchParams.get("queries") ?? undefined);
      return Response.json(await answer(sql, count), { headers: NAMED });
    },
  });
  return {
    "/plaintext": { GET: () => new Response("Hello, World!", PLAIN) },
    "/db": { GET: async () => Response.json(await randomRow(sql), { headers: NAMED }) },
    "/queries": rows(randomRows),
    "/updates": rows(updatedRows),
    "/cached": rows(cachedRows),
    "/fortunes": { GET: async () => new Response(page(await fortunes(sql)), HTML) },
  };
}

async function fortunes(sql: SQL): Promise<Fortune[]> {
  const rows: Fortune[] = await sql`SELECT id, message FROM fortune`;
  return [...rows, ADDED].sort((a, b) => a.message < b.message ? -1 : 1);
}

/** Bun has no templates, but what they escape with. */
function page(fortunes: readonly Fortune[]): string {
  const rows = fortunes.map(({ id, message }) =>
    `<tr><td>${id}</td><td>${escapeHTML(message)}</td></tr>`
  );
  return `<!DOCTYPE html>
<html>
<head><title>Fortunes</title></head>
<body>
<table>
<tr><th>id</th><th>message</th></tr>
${rows.join("\n")}
</table>
</body>
</html>
`;
}
