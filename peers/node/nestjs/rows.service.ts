import { Inject, Injectable } from "@nestjs/common";

export const POOL = Symbol("the pool of connections");

/** The part of pg.Pool that this service uses. */
interface Pool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

@Injectable()
export class RowsService {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async now(): Promise<unknown> {
    const { rows } = await this.pool.query("SELECT now() AS ts");
    return rows[0];
  }

  async users(): Promise<unknown[]> {
    const offset = Math.floor(Math.random() * 199_991);
    const { rows } = await this.pool.query(
      "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1",
      [offset],
    );
    return rows;
  }

  async books(): Promise<unknown[]> {
    const { rows } = await this.pool.query("SELECT * FROM books");
    return rows;
  }
}
