import { deepStrictEqual, throws } from "node:assert/strict";
import { UsageError } from "../model/errors.ts";
import { parseSlo } from "./slo.ts";

Deno.test("an SLO is read with its units", () => {
  deepStrictEqual(parseSlo("p99<10ms,errors<0.1%"), {
    latencies: [{ percentile: 0.99, us: 10_000 }],
    errorShare: 0.001,
  });
  deepStrictEqual(parseSlo(" p50 < 800us, p99.9<1.5s "), {
    latencies: [{ percentile: 0.5, us: 800 }, { percentile: 0.999, us: 1_500_000 }],
    errorShare: null,
  });
});

Deno.test("what is no SLO is named", () => {
  const absurd = ["", "p99", "p99<10", "p0<1ms", "p100<1ms", "p99<-1ms", "p99<0ms", "p99<1e9s"];
  for (const text of [...absurd, "errors<0%", "errors<101%", "errors<1", "p99<11s", "x,p99<1ms"]) {
    throws(() => parseSlo(text), (error: Error) => {
      return error instanceof UsageError &&
        /^Cannot read ".*" of the SLO/.test(error.message);
    }, text);
  }
});
