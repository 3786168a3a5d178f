/** The process that drives slices: one block at one scenario for each job. */
import { answerJobs } from "../jobs.ts";
import { driveSlices } from "./slices.ts";

await answerJobs(driveSlices);
