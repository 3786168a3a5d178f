/** Workloads: scenarios and their load. */
import * as s from "./json_schema.ts";

/** The properties of a workload: a scenario under a load. */
export const workload = s.properties({
  scenario: [s.text, "Id of the scenario."],
  connections: [s.ordinal, "Connections of the load to each server; in an open loop, the maximum."],
  perS: [
    s.nullable(s.positive),
    "Requests per second of an open loop; null in a closed loop.",
  ],
});
