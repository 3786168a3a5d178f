/** The JSON Schemas that are published in docs/, and that files are held against. */
import { ExperimentRecord } from "./experiment.ts";
import { Preset } from "./preset.ts";
import { Report } from "./report.ts";
import { document, type Schema } from "./schema.ts";
import { Manifest } from "./server.ts";

export const MANIFEST_SCHEMA: Schema = document(
  Manifest,
  "Stampede server manifest",
  "peers/<id>/server.json: a server that Stampede can start and measure. Data only. In `start` and `env`, {HOST}, {PORT}, {DATABASE} (host:port), {WORKERS}, {DB_POOL}, {CPU_WORKERS}, {HELLO_HTML}, {STATIC_FOLDER}, {TLS_CERT} and {TLS_KEY} stand for their values, and in `prepare`, {TEMP} for a folder that is gone afterwards; an argument of `start`, or a variable of `env`, with a placeholder that has no value is left out. Commands run without a shell. A program whose name has a slash lies in the folder that the command runs in.",
);

export const PRESET_SCHEMA: Schema = document(
  Preset,
  "Stampede preset",
  "Published work as data: what was measured, on what, with which figures, so that bench --preset can measure it again.",
);

export const EXPERIMENT_SCHEMA: Schema = document(
  ExperimentRecord,
  "Stampede experiment",
  "What is compared, at what, how hard driven, and by which design: what bench --dry-run --json prints, and what reports hold. Units stand in the names: S seconds. What is not set is null.",
);

export const REPORT_SCHEMA: Schema = document(
  Report,
  "Stampede report",
  "results/<time>-<id>.json: everything that a run found. `trialResults` is raw, one item for each window; all else is derived from it or says how it came about. Units stand in the names: S seconds, Us microseconds, PerS per second. What is unknown is null.",
);

/** Each with its file in docs/. */
export const DOCUMENTS: Readonly<Record<string, Schema>> = {
  "experiment.schema.json": EXPERIMENT_SCHEMA,
  "preset.schema.json": PRESET_SCHEMA,
  "results.schema.json": REPORT_SCHEMA,
  "server.schema.json": MANIFEST_SCHEMA,
};
