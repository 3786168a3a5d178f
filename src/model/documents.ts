/** The JSON Schemas that are published in docs/. Stampede also validates files with them. */
import { ExperimentRecord } from "./experiment.ts";
import { Preset } from "./preset.ts";
import { DistributedReport, Report } from "./report.ts";
import { document, type Schema, union } from "./json_schema.ts";
import { Manifest } from "./server.ts";

/** Validates the manifest of a server; published as docs/server.schema.json. */
export const MANIFEST_SCHEMA: Schema = document(
  Manifest,
  "Stampede server manifest",
  "peers/<id>/server.json: a server that Stampede can start and measure. It contains only data. In `start` and `env`, the placeholders {HOST}, {PORT}, {DATABASE} (host:port), {WORKERS}, {DB_POOL}, {CPU_WORKERS}, {HELLO_HTML}, {STATIC_FOLDER}, {TLS_CERT} and {TLS_KEY} are replaced by their values. In `prepare`, {TEMP} is replaced by a folder that is deleted afterwards. An argument of `start` or a variable of `env` is left out if its placeholder has no value. Commands run without a shell. A program with a slash in its name is in the folder that the command runs in.",
);

/** Validates a preset; published as docs/preset.schema.json. */
export const PRESET_SCHEMA: Schema = document(
  Preset,
  "Stampede preset",
  "A published benchmark as data: the systems, the load and the figures, so that bench --preset can measure it again.",
);

/** Describes the output of `bench --dry-run --json`; published as docs/experiment.schema.json. */
export const EXPERIMENT_SCHEMA: Schema = document(
  ExperimentRecord,
  "Stampede experiment",
  "An experiment: what is compared, at which scenarios, under which load, and by which design. bench --dry-run --json prints it, and reports contain it. Units are part of the names: S is seconds. Null means not set.",
);

/** Describes a report of any kind; published as docs/results.schema.json. */
const REPORT_SCHEMA: Schema = document(
  union("A report.", Report, DistributedReport),
  "Stampede report",
  "results/<time>-<id>.json: everything that a run found, or merged results of k6 runners; `kind` says which. `trialResults` is raw, one item for each window. Everything else is derived from it or explains how it was measured. Units are part of the names: S is seconds, Us microseconds, PerS per second. Null means unknown.",
);

/** The published schemas, by the names of their files in docs/. */
export const DOCUMENTS: Readonly<Record<string, Schema>> = {
  "experiment.schema.json": EXPERIMENT_SCHEMA,
  "preset.schema.json": PRESET_SCHEMA,
  "results.schema.json": REPORT_SCHEMA,
  "server.schema.json": MANIFEST_SCHEMA,
};
