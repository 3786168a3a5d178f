/** Workloads: scenarios and their load. */
import { nullable, ordinal, positive, properties, text } from "./json_schema.ts";

/** The properties of a workload: a scenario under a load. */
export const workload = properties({
  scenario: [text, "Id of the scenario."],
  connections: [ordinal, "Connections of the load to each server; in an open loop, the maximum."],
  perS: [
    nullable(positive),
    "Requests per second of an open loop; null in a closed loop.",
  ],
});
