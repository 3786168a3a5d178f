import type { Hono } from "hono";
import { html } from "hono/html";
import { pool } from "./pool.ts";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "./world.ts";

interface Fortune {
  readonly id: number;
  readonly message: string;
}

const ADDED: Fortune = { id: 0, message: "Brewed for this very request." };

const NAMED = { server: "Hono" };

export function addTechempower(app: Hono): void {
  app.get("/plaintext", (c) => c.text("Hello, World!", 200, NAMED));

  app.get("/db", async (c) => c.json(await randomRow(), 200, NAMED));

  app.get("/queries", async (c) => {
    const rows = await randomRows(countOf(c.req.query("queries")));
    return c.json(rows, 200, NAMED);
  });

  app.get("/updates", async (c) => {
    const rows = await updatedRows(countOf(c.req.query("queries")));
    return c.json(rows, 200, NAMED);
  });

  app.get("/cached", async (c) => {
    const rows = await cachedRows(countOf(c.req.query("queries")));
    return c.json(rows, 200, NAMED);
  });

  app.get("/fortunes", async (c) => {
    const { rows } = await pool.query<Fortune>({
      name: "fortunes",
      text: "SELECT id, message FROM fortune",
    });
    const fortunes = [...rows, ADDED].sort((a, b) => a.message < b.message ? -1 : 1);
    return c.html(page(fortunes), 200, NAMED);
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
