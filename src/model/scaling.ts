/** The effect of more workers on a server. */
import { Comparison, resultKey } from "./comparison.ts";
import * as s from "./json_schema.ts";

export const Scaling = s.object(
  "Scaling",
  "Derived: a server at one workload with some number of workers, compared with its smallest number.",
  {
    ...resultKey,
    server: [s.text, "Id of the server."],
    workers: [s.ordinal, "Its processes or scheduler threads."],
    baseWorkers: [s.ordinal, "Smallest measured number of workers."],
    rate: [
      s.nullable(Comparison),
      "Rate divided by that with the fewest workers; null for the fewest.",
    ],
    cpu: [
      s.nullable(Comparison),
      "CPU time per response divided by that with the fewest workers; null for the fewest.",
    ],
    efficiency: [
      s.nullable(s.positive),
      "Rate ratio divided by worker ratio: 1 is twice the rate with twice the workers.",
    ],
    isShared: [
      s.flag,
      "Whether workers, load generator and database have to share processors. The rate is then not the server's own.",
    ],
  },
);
export interface Scaling extends s.Static<typeof Scaling> {}
