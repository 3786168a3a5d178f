/** The process of the clients that harm a server. Each job does one kind of harm. */
import { OPENED } from "../../load/generator.ts";
import { say, serveJobs } from "../../load/jobs.ts";
import {
  churn,
  closedLoopRate,
  type Demand,
  floodRequests,
  type RequestFloodOptions,
} from "./request_flood.ts";

/** A job for this process. */
export type HostileClientsJob =
  | ({ readonly kind: "closed-loop" } & Demand)
  | ({ readonly kind: "churn"; readonly durationS: number } & Demand)
  | ({ readonly kind: "flood" } & RequestFloodOptions);

async function harm(job: HostileClientsJob): Promise<number> {
  if (job.kind === "closed-loop") return await closedLoopRate(job);
  say(OPENED);
  if (job.kind === "flood") return await floodRequests(job);
  await churn(job);
  return 0;
}

if (import.meta.main) await serveJobs(harm);
