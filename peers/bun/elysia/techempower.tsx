import { Html, html } from "@elysiajs/html";
import { Elysia } from "elysia";
import { type Fortune, fortunes } from "../shared/fortunes.ts";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "../shared/world.ts";

/** The routes of TechEmpower's tests; their responses name the server. */
export const techempower = new Elysia()
  .get("/plaintext", ({ set }) => {
    set.headers.server = "Elysia";
    return "Hello, World!";
  })
  .get("/db", ({ set }) => {
    set.headers.server = "Elysia";
    return randomRow();
  })
  .get("/queries", ({ set, query }) => {
    set.headers.server = "Elysia";
    return randomRows(countOf(query.queries));
  })
  .get("/updates", ({ set, query }) => {
    set.headers.server = "Elysia";
    return updatedRows(countOf(query.queries));
  })
  .get("/cached", ({ set, query }) => {
    set.headers.server = "Elysia";
    return cachedRows(countOf(query.queries));
  })
  // Last, since it looks at the answers of all routes that come after it
  .use(html({ contentType: "text/html; charset=utf-8" }))
  .get("/fortunes", async ({ set }) => {
    set.headers.server = "Elysia";
    return <Page fortunes={await fortunes()} />;
  });

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
