import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { Failure, Interrupted } from "../model/errors.ts";
import { DUEL } from "../view/report_testdata.ts";
import type { Io } from "./io.ts";
import { finish } from "./measure.ts";

function finished(
  stopped: unknown,
  isQuiet = false,
  unwritten: string | null = null,
): { code: number; said: string[] } {
  const said: string[] = [];
  const io = { say: (text: string) => void said.push(text) } as Io;
  const outcome = { report: DUEL, path: "results/x.json", unwritten, stopped };
  return { code: finish(outcome, isQuiet, io), said };
}

Deno.test("finish says where the report is, and whether everything was measured", () => {
  deepStrictEqual(finished(null).said, ["The report is in results/x.json"]);
  deepStrictEqual(finished(null, true).said, []);
});

Deno.test("finish throws what ended a run with the report's place, and leaves the error as it was", () => {
  for (const error of [new Interrupted("Interrupted by SIGINT"), new Failure("PostgreSQL ended")]) {
    const { message } = error;
    throws(() => finished(error), (thrown: Error) => {
      strictEqual(thrown.constructor, error.constructor);
      strictEqual(thrown.message, `${message}\nThe report is in results/x.json`);
      strictEqual(thrown.cause, error);
      return true;
    });
    strictEqual(error.message, message);
  }
});

Deno.test("finish throws why a report was not written", () => {
  const problem = "Cannot write the report to x.json: No space left on device";
  throws(() => finished(null, false, problem), { name: "Failure", message: problem });
  throws(() => finished(new Interrupted("Interrupted"), false, problem), {
    name: "Interrupted",
    message: `Interrupted\n${problem}`,
  });
});
