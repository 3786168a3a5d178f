import { Html, html } from "@elysiajs/html";
import { Elysia } from "elysia";
import { type Fortune, fortunes } from "../shared/fortunes.ts";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "../shared/world.ts";

/** Answers that name their maker. */
export const techempower = new Elysia()
  .onBeforeHandle(({ set }) => {
    set.headers.server = "Elysia";
  })
  .get("/plaintext", () => "Hello, World!")
  .get("/db", () => randomRow())
  .get("/queries", ({ query }) => randomRows(countOf(query.queries)))
  .get("/updates", ({ query }) => updatedRows(countOf(query.queries)))
  .get("/cached", ({ query }) => cachedRows(countOf(query.queries)))
  // Last, since it looks at the answers of all routes that come after it
  .use(html({ contentType: "text/html; charset=utf-8" }))
  .get("/fortunes", async () => <Page fortunes={await fortunes()} />);

function Page({ fortunes }: { fortunes: readonly Fortune[] }) {
  return (
    <html>
      <head>
        <title>Fortunes</title>
      </head>
      <body>
        <table>
          <tr>
            <th>id</th>
            <th>message</th>
          </tr>
          {fortunes.map(({ id, message }) => (
            <tr>
              <td>{id}</td>
              <td safe>{message}</td>
            </tr>
          ))}
        </table>
      </body>
    </html>
  );
}
