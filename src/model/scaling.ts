/** The effect of more workers on a server. */
import { Comparison, resultKey } from "./comparison.ts";
import { flag, nullable, object, ordinal, positive, type Static, text } from "./json_schema.ts";

export const Scaling = object(
  "Scaling",
  "Derived: a server at one workload with some number of workers, compared with its smallest number.",
  {
    ...resultKey,
    server: [text, "Id of the server."],
    workers: [ordinal, "Its processes or scheduler threads."],
    baseWorkers: [ordinal, "Smallest measured number of workers."],
    rate: [
      nullable(Comparison),
      "Rate divided by that with the fewest workers; null for the fewest.",
    ],
    cpu: [
      nullable(Comparison),
      "CPU time per response divided by that with the fewest workers; null for the fewest.",
    ],
    efficiency: [
      nullable(positive),
      "Rate ratio divided by worker ratio: 1 is twice the rate with twice the workers.",
    ],
    isShared: [
      flag,
      "Whether workers, load generator and database have to share processors. The rate is then not the server's own.",
    ],
  },
);
export interface Scaling extends Static<typeof Scaling> {}
