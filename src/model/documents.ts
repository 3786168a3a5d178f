/** The JSON Schemas that validate files; documents_test.ts publishes them in docs/. */
import { Preset } from "./preset.ts";
import { DistributedReport, Report } from "./report.ts";
import { document, type Schema, union } from "./schema.ts";
import { Manifest } from "./server.ts";

/** Validates the manifest of a server, with the fields of the manifests that it extends. */
export const MANIFEST_SCHEMA: Schema = document(
  Manifest,
  "Stampede server manifest",
  "peers/<id>/server.json: a server that Stampede can start and measure. It contains only data. In `start` and `env`, the placeholders {HOST}, {PORT}, {DATABASE} (host:port), {WORKERS}, {DB_POOL}, {CPU_WORKERS}, {HELLO_HTML}, {STATIC_FOLDER}, {TLS_CERT} and {TLS_KEY} are replaced by their values. In `prepare`, {TEMP} is replaced by a folder that is deleted afterwards. An argument of `start` or a variable of `env` is left out if its placeholder has no value. Commands run without a shell. A program with a slash in its name is in the folder that the command runs in.",
);

/** Validates a preset; published as docs/preset.schema.json. */
export const PRESET_SCHEMA: Schema = document(
  Preset,
  "Stampede preset",
  "A published benchmark as data: the systems, the load and the figures, so that stampede --preset can measure it again.",
);

/** Describes a report of any kind; published as docs/results.schema.json. */
export const REPORT_SCHEMA: Schema = document(
  union("A report.", Report, DistributedReport),
  "Stampede report",
  "results/<time>-<id>.json: everything that a run found, or merged results of k6 runners; `kind` says which. `trialResults` is raw, one item for each window. Everything else is derived from it or explains how it was measured. Units are part of the names: S is seconds, Us microseconds, PerS per second. Null means unknown.",
);
