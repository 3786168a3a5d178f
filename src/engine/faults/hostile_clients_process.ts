/** The process of the clients that harm a server. Each job does one kind of harm. */
import { OPENED, say, serveJobs } from "../../load/generator.ts";
import { churn, closedLoopRate, floodRequests, type HostileClientsJob } from "./request_flood.ts";

async function harm(job: HostileClientsJob): Promise<number> {
  if (job.kind === "closed-loop") return await closedLoopRate(job);
  say(OPENED);
  if (job.kind === "flood") return await floodRequests(job);
  await churn(job);
  return 0;
}

if (import.meta.main) await serveJobs(harm);
