/** The process that drives slices: one block at one scenario for each job. */
import { serveJobs } from "../jobs.ts";
import { driveSlices } from "./slices.ts";

await serveJobs(driveSlices);
