import { sql } from "./sql.ts";

export interface Fortune {
  readonly id: number;
  readonly message: string;
}

const ADDED: Fortune = { id: 0, message: "Brewed for this very request." };

/** Returns the rows of the database and one more, sorted. */
export async function fortunes(): Promise<Fortune[]> {
  const rows: Fortune[] = await sql`SELECT id, message FROM fortune`;
  return [...rows, ADDED].sort((a, b) => a.message < b.message ? -1 : 1);
}
