/** The process that measures slices: one block at one scenario per job. */
import { serveJobs } from "../jobs.ts";
import { driveSlices } from "./slices.ts";

await serveJobs(driveSlices);
