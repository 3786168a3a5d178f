import { escapeHTML } from "bun";
import { type Fortune, fortunes } from "../shared/fortunes.ts";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "../shared/world.ts";

const NAMED = { server: "Bun" };
const PLAIN = { headers: { ...NAMED, "content-type": "text/plain" } };
const HTML = { headers: { ...NAMED, "content-type": "text/html; charset=utf-8" } };

function rows(answer: (count: number) => Promise<unknown>) {
  return {
    async GET(request: Request) {
      const { searchParams } = new URL(request.url);
      const count = countOf(searchParams.get("queries") ?? undefined);
      return Response.json(await answer(count), { headers: NAMED });
    },
  };
}

/** The routes of TechEmpower's tests. */
export const techempower = {
  "/plaintext": { GET: () => new Response("Hello, World!", PLAIN) },
  "/db": { GET: async () => Response.json(await randomRow(), { headers: NAMED }) },
  "/queries": rows(randomRows),
  "/updates": rows(updatedRows),
  "/cached": rows(cachedRows),
  "/fortunes": { GET: async () => new Response(page(await fortunes()), HTML) },
};

/** Bun has no templates, but a function that escapes HTML. */
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
