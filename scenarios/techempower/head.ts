import { Mismatch } from "../../src/model/errors.ts";
import type { HttpResponse } from "../../src/model/scenario.ts";

/**
 * Checks that a response has the headers `date` and `server`, as TechEmpower's rules require.
 *
 * @throws {Mismatch} if one is missing.
 */
export function expectNamed({ headers }: HttpResponse): void {
  for (const name of ["server", "date"]) {
    if (!headers.get(name)) throw new Mismatch(`the header ${name}`, "none");
  }
}
