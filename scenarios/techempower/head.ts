import { Mismatch } from "../../src/model/errors.ts";
import type { HttpResponse } from "../../src/model/scenario.ts";

/** Fails unless the response says when it was made and by what, as TechEmpower's rules ask for. */
export function expectNamed({ headers }: HttpResponse): void {
  for (const name of ["server", "date"]) {
    if (!headers.get(name)) throw new Mismatch(`the header ${name}`, "none");
  }
}
