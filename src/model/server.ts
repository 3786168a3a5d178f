/** Servers, as their manifests describe them. */
import { MOST } from "./limits.ts";
import { requestPath } from "./scenario_schema.ts";
import * as s from "./schema.ts";

/** Protocols over TLS by their ALPN names (https://www.rfc-editor.org/rfc/rfc7301). */
export const alpn = s.oneOf("http/1.1", "h2");
export type Alpn = s.Static<typeof alpn>;

export class Handshakes extends s.object(
  "Raw: TLS connections that were opened one after the other, each with a full handshake.",
  {
    count: s.ordinal.is("Number of connections."),
    p50Us: s.amount.is("Median time from connecting to the end of the handshake."),
    p99Us: s.amount.is("99th percentile of that time."),
    serverCpuUs: s.amount.orNull("CPU time of the server per handshake; null if unknown."),
  },
) {}

const Command = s.named(
  "Command",
  s.list(s.text, { minItems: 1, description: "A program with its arguments." }),
);

export class Requirement extends s.object("A program that a server needs, and how to install it.", {
  command: Command.is("Command that prints its version."),
  name: s.text.optional("Its name, if the command does not say it."),
  minimum: s.matching(/^\d+(\.\d+)*$/).is("Minimum version."),
  install: s.text.is("Installation instructions for people."),
}) {}

/** Returns the type of a record in which null removes an entry of the extended manifest. */
function removable<T>(values: s.Type<T>): s.Type<Readonly<Record<string, T>>> {
  return s.record(s.nullable(values) as s.Type<T>);
}

export class Manifest extends s.object("The manifest of a server, server.json.", {
  $schema: s.text.optional("Address of this schema, for editors."),
  extends: s.nonEmpty.optional(
    "Folder of another manifest, relative to this one. Its fields apply except where this manifest has others: objects are merged by key, lists are replaced, and null removes a field.",
  ),
  id: s.matching(/^[a-z][a-z0-9-]*$/).is("The folder's name."),
  name: s.nonEmpty.is("Its name for people."),
  language: s.text.is("Its programming language."),
  runtime: s.nullable(s.nonEmpty).byDefault(null).is(
    "The runtime that runs it, such as `Node.js` or `JVM`; null for machine code.",
  ),
  framework: s.nullable(s.text).byDefault(null).is("Its framework."),
  basedOn: s.nullable(s.text).byDefault(null).is(
    "Id of the server that provides the runtime or library. A server that beats its own base beyond noise gets a warning: something is wrong with one of them.",
  ),
  approach: s.oneOf("idiomatic", "tuned").byDefault("idiomatic").is(
    "`idiomatic`: written as its documentation recommends. `tuned`: optimised for speed.",
  ),
  why: s.nullable(s.text).byDefault(null).is(
    "Why it is tuned, or another note for readers of its figures.",
  ),
  guide: s.nullable(s.matching(/^https:\/\//)).byDefault(null).is(
    "Address of the guide to production of its framework, or of its runtime or language.",
  ),
  settings: removable(s.nonEmpty).byDefault({}).is(
    "Settings that the guide recommends or that matter for speed, each with its value at this server: `on, the default`.",
  ),
  scenarios: removable(s.record(s.text)).is(
    "Its scenarios, each with implementation notes: validator, offload, driver, pool. `why` is the cause of a low rate or a wide interval, with its evidence.",
  ),
  workers: s.oneOf("configurable", "one", "unlimited").byDefault("one").is(
    "Effect of WORKERS. `configurable`: it sets the number of processes or scheduler threads. `one`: there is always one. `unlimited`: the server chooses. Ranks compare servers with the same number.",
  ),
  takesTurns: s.flag.byDefault(false).is(
    "Whether its threads take turns: at most WORKERS of them run at the same time, as with GOMAXPROCS or a global interpreter lock. Without this, the bottleneck cannot be found.",
  ),
  tls: s.list(alpn).byDefault([]).is(
    "Protocols over TLS by ALPN name, if TLS_CERT and TLS_KEY name a certificate and its key. Empty if the server ignores them.",
  ),
  maxConnections: s.nullable(s.ordinal).byDefault(null).is(
    "Maximum number of connections that it accepts at once; that of each worker if `workers` is `configurable`.",
  ),
  warmupS: s.nullable(s.upTo(MOST.warmupS, s.amount)).byDefault(null).is(
    "Warm-up in seconds until its rate is steady, if longer than the default of 0.5, for example with a JIT compiler.",
  ),
  http: s.oneOf("full", "minimal").byDefault("full").is(
    "`minimal` for a server on raw sockets, which is checked only for keep-alive and its own scenarios.",
  ),
  exceptions: removable(s.nonEmpty).byDefault({}).is(
    "Ids of checks of `stampede verify` that it may fail, each with the reason.",
  ),
  sources: s.text.byDefault(".").is(
    "Folder of its sources, relative to this one, if it shares another server's sources.",
  ),
  requires: s.list(Requirement).byDefault([]).is(
    "Programs that the server needs; their commands run in the folder of the sources. If one is missing, the server is skipped, and the table says why.",
  ),
  prepare: s.list(Command).byDefault([]).is(
    "Commands that build the server, in order, within ten minutes. They run in a copy of the sources in Stampede's cache. The copy is reused until the sources, these commands or the versions of the required programs change. `start` then runs there too.",
  ),
  start: Command.is("The command that starts it."),
  env: removable(s.text).byDefault({}).is(
    "Environment variables in addition to the contract's (docs/contract.md). They may repeat those under another name.",
  ),
  ready: s.object("The readiness check.", {
    path: requestPath.byDefault("/").is("Path of the request."),
    timeoutS: s.upTo(MOST.waitS, s.positive).byDefault(20).is("Timeout in seconds."),
  }).byDefault({}).is("The server is ready when it answers this path with any status below 500."),
  versions: removable(Command).byDefault({}).is(
    "Commands that print a version in their first line, by the name of the versioned program.",
  ),
}) {}

/** Runtimes with releases on npm, by the name of their program. */
export const RUNTIMES = ["deno", "node", "bun"] as const;

/** Parts of a version of which the newest release is taken. */
export const EACH = ["major", "minor", "patch"] as const;

/** A release of a runtime. */
export interface Release {
  readonly runtime: typeof RUNTIMES[number];
  /** Its version: `2.8.3`. */
  readonly version: string;
}

/** A server's manifest with its folder. */
export interface Server extends Manifest {
  /** Absolute path of the folder in which commands run: the manifest's, or the build's after preparation. */
  readonly folder: string;
  /** Address and process id of a server that already runs; null if Stampede starts it. */
  readonly attached: { readonly origin: string; readonly pid: number | null } | null;
  /** Release that runs the server; absent for the installed runtime. */
  readonly release?: Release;
}
