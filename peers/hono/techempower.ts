import type { Hono } from "hono";
import { html } from "hono/html";
import { createMiddleware } from "hono/factory";
import { pool } from "./pool.ts";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "./world.ts";

interface Fortune {
  readonly id: number;
  readonly message: string;
}

const ADDED: Fortune = { id: 0, message: "Brewed for this very request." };

const named = createMiddleware(async (c, next) => {
  c.header("server", "Hono");
  await next();
});

export function addTechempower(app: Hono): void {
  app.get("/plaintext", named, (c) => c.text("Hello, World!"));

  app.get("/db", named, async (c) => c.json(await randomRow()));

  app.get(
    "/queries",
    named,
    async (c) => c.json(await randomRows(countOf(c.req.query("queries")))),
  );

  app.get(
    "/updates",
    named,
    async (c) => c.json(await updatedRows(countOf(c.req.query("queries")))),
  );

  app.get("/cached", named, async (c) => c.json(await cachedRows(countOf(c.req.query("queries")))));

  app.get("/fortunes", named, async (c) => {
    const { rows } = await pool.query<Fortune>({
      name: "fortunes",
      text: "SELECT id, message FROM fortune",
    });
    const fortunes = [...rows, ADDED].sort((a, b) => a.message < b.message ? -1 : 1);
    return c.html(page(fortunes));
  });
}

function page(fortunes: readonly Fortune[]) {
  return html`
    <!DOCTYPE html>
    <html>
      <head>
        <title>Fortunes</title>
      </head>
      <body>
        <table>
    <tr><th>id</th><th>message</th></tr>
    ${fortunes.map(({ id, message }) =>
      html`
        <tr>
          <td>${id}</td>
          <td>${message}</td>
        </tr>
      `
    )}
        </table>
      </body>
    </html>
  `;
}
