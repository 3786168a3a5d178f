/** What more workers do for a server. */
import { Comparison, resultKey } from "./comparison.ts";
import { flag, nullable, object, ordinal, positive, type Static, text } from "./schema.ts";

export const Scaling = object(
  "Scaling",
  "Derived: a server at one workload with some workers, beside itself with the fewest.",
  {
    ...resultKey,
    server: [text, "Id of the server."],
    workers: [ordinal, "Its processes or scheduler threads."],
    baseWorkers: [ordinal, "The fewest that it was measured with."],
    rate: [nullable(Comparison), "Its rate over the one with the fewest; null for these."],
    cpu: [nullable(Comparison), "Its CPU time for a response over that, likewise."],
    efficiency: [
      nullable(positive),
      "Its rate over that with the fewest, for each worker: 1 is twice the rate with twice the workers.",
    ],
    isShared: [
      flag,
      "Whether there are fewer processors than its workers, the load generator and the database would keep busy: the rate is then not its own.",
    ],
  },
);
export interface Scaling extends Static<typeof Scaling> {}
