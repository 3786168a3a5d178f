/** What servers are asked, and how hard they are driven. */
import { nullable, ordinal, positive, properties, text } from "./schema.ts";

/** A scenario under a load. */
export const workload = properties({
  scenario: [text, "Id of the scenario."],
  connections: [ordinal, "Connections of the load to each server; in an open loop, at most."],
  perS: [
    nullable(positive),
    "Requests that are sent in a second of an open loop; null in a closed loop.",
  ],
});
