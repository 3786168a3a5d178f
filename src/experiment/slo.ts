/** Parses service level objectives. */
import { UsageError } from "../model/errors.ts";
import type { Slo } from "../model/experiment.ts";
import { oneLine } from "../model/text.ts";

/** Default SLO of `capacity` and `export`, in the form of --slo. */
export const DEFAULT_SLO = "p99<50ms,errors<0.1%";

const LATENCY = /^p(\d{1,2}(?:\.\d+)?) *< *(\d+(?:\.\d+)?|\.\d+) *(us|µs|ms|s)$/;
const ERRORS = /^errors *< *(\d+(?:\.\d+)?|\.\d+) *%$/;
const UNITS: Readonly<Record<string, number>> = { us: 1, "µs": 1, ms: 1000, s: 1e6 };
/** Maximum latency limit in an SLO, in microseconds. It equals the timeout of a response. */
const LONGEST_US = 10e6;

/** Parses an SLO, such as `p99<10ms,errors<0.1%`; throws a `UsageError` with the invalid part. */
export function parseSlo(text: string): Slo {
  const latencies: Slo["latencies"][number][] = [];
  let errorShare: number | null = null;
  for (const part of text.split(",").map((part) => part.trim())) {
    const [, percentile, value, unit = ""] = LATENCY.exec(part) ?? [];
    const us = Number(value) * (UNITS[unit] ?? NaN);
    const [, percent] = ERRORS.exec(part) ?? [];
    if (us > 0 && us <= LONGEST_US && Number(percentile) > 0) {
      latencies.push({ percentile: Number(`${percentile}e-2`), us });
    } else if (Number(percent) > 0 && Number(percent) <= 100) {
      errorShare = Number(percent) / 100;
    } else {
      const shown = oneLine(part).slice(0, 40);
      throw new UsageError(
        `Cannot read "${shown}" of the SLO: write it as p99<10ms (up to 10s) or errors<0.1%, separated by commas`,
      );
    }
  }
  return { latencies, errorShare };
}
