/** Servers, as their manifests describe them. */

import { LONGEST_WAIT_S, LONGEST_WARMUP_S } from "./limits.ts";
import { requestPath } from "./scenario.ts";
import * as s from "./schema.ts";

/** Protocols over TLS by their ALPN names (https://www.rfc-editor.org/rfc/rfc7301). */
const ALPN = ["http/1.1", "h2"] as const;
export type Alpn = typeof ALPN[number];
export const alpn: s.Schema<Alpn> = s.oneOf(...ALPN);

export const Handshakes = s.object(
  "Handshakes",
  "Raw: TLS connections that were opened one after the other, each with a full handshake.",
  {
    count: [s.ordinal, "Number of connections."],
    p50Us: [s.amount, "Median time from connecting to the end of the handshake."],
    p99Us: [s.amount, "99th percentile of that time."],
    serverCpuUs: [s.nullable(s.amount), "CPU time of the server per handshake; null if unknown."],
  },
);
export interface Handshakes extends s.Static<typeof Handshakes> {}

const Command = s.named(
  "Command",
  s.list(s.text, { minItems: 1, description: "A program with its arguments." }),
);

const Requirement = s.object(
  "Requirement",
  "A program that a server needs, and how to install it.",
  {
    command: [Command, "Command that prints its version."],
    name: [s.optional(s.text), "Its name, if the command does not say it."],
    minimum: [s.matching(/^\d+(\.\d+)*$/), "Minimum version."],
    install: [s.text, "Installation instructions for people."],
  },
);
export interface Requirement extends s.Static<typeof Requirement> {}

/** Returns the schema of an object by name, in which null removes what an extended manifest has. */
function removable<T>(values: s.Schema<T>): s.Schema<Readonly<Record<string, T>>> {
  return s.record(s.nullable(values) as s.Schema<T>);
}

export const Manifest = s.object("Manifest", "The manifest of a server, server.json.", {
  $schema: [s.optional(s.text), "Address of this schema, for editors."],
  extends: [
    s.optional(s.nonEmpty),
    "Folder of another manifest, relative to this one. Its fields apply except where this manifest has others: objects are merged by key, lists are replaced, and null removes a field.",
  ],
  id: [s.matching(/^[a-z][a-z0-9-]*$/), "The folder's name."],
  name: [s.nonEmpty, "Its name for people."],
  language: [s.text, "Its programming language."],
  framework: [s.withDefault(s.nullable(s.text), null), "Its framework."],
  basedOn: [
    s.withDefault(s.nullable(s.text), null),
    "Id of the server that provides the runtime or library. A server that beats its own base beyond noise gets a warning: something is wrong with one of them.",
  ],
  approach: [
    s.withDefault(s.oneOf("idiomatic", "tuned"), "idiomatic"),
    "`idiomatic`: written as its documentation recommends. `tuned`: optimised for speed.",
  ],
  why: [
    s.withDefault(s.nullable(s.text), null),
    "Why it is tuned, or another note for readers of its figures.",
  ],
  scenarios: [
    removable(s.record(s.text)),
    "Its scenarios, each with implementation notes: validator, offload, driver, pool.",
  ],
  workers: [
    s.withDefault(s.oneOf("configurable", "one", "unlimited"), "one"),
    "Effect of WORKERS. `configurable`: it sets the number of processes or scheduler threads. `one`: there is always one. `unlimited`: the server chooses. Ranks compare servers with the same number.",
  ],
  takesTurns: [
    s.withDefault(s.flag, false),
    "Whether its threads take turns: at most WORKERS of them run at the same time, as with GOMAXPROCS or a global interpreter lock. Without this, the bottleneck cannot be found.",
  ],
  tls: [
    s.withDefault(s.list(alpn), []),
    "Protocols over TLS by ALPN name, if TLS_CERT and TLS_KEY name a certificate and its key. Empty if the server ignores them.",
  ],
  maxConnections: [
    s.withDefault(s.nullable(s.ordinal), null),
    "Maximum number of connections that it accepts at once.",
  ],
  warmupS: [
    s.withDefault(s.nullable(s.upTo(LONGEST_WARMUP_S, s.amount)), null),
    "Warm-up in seconds until its rate is steady, if longer than the default of 0.5, for example with a JIT compiler.",
  ],
  http: [
    s.withDefault(s.oneOf("full", "minimal"), "full"),
    "`minimal` for a server on raw sockets, which is checked only for keep-alive and its own scenarios.",
  ],
  exceptions: [
    s.withDefault(removable(s.nonEmpty), {}),
    "Ids of checks of `bench verify` that it may fail, each with the reason.",
  ],
  sources: [
    s.withDefault(s.text, "."),
    "Folder of its sources, relative to this one, if it shares another server's sources.",
  ],
  requires: [
    s.withDefault(s.list(Requirement), []),
    "Programs that the server needs. If one is missing, the server is skipped, and the table says why.",
  ],
  prepare: [
    s.withDefault(s.list(Command), []),
    "Commands that build the server, in order, within ten minutes. They run in a copy of the sources in Stampede's cache. The copy is reused until the sources, these commands or the versions of the required programs change. `start` then runs there too.",
  ],
  start: [Command, "The command that starts it."],
  env: [
    s.withDefault(removable(s.text), {}),
    "Environment variables in addition to the contract's (docs/contract.md). They may repeat those under another name.",
  ],
  ready: [
    s.withDefault(
      s.unnamed("The readiness check.", {
        path: [s.withDefault(requestPath, "/"), "Path of the request."],
        timeoutS: [s.withDefault(s.upTo(LONGEST_WAIT_S, s.positive), 20), "Timeout in seconds."],
      }),
      {},
    ),
    "The server is ready when it answers this path with any status below 500.",
  ],
  versions: [
    s.withDefault(removable(Command), {}),
    "Commands that print a version in their first line, by the name of the versioned program.",
  ],
});

export interface Manifest extends s.Static<typeof Manifest> {}

/** A server's manifest with its folder. */
export interface Server extends Manifest {
  /**
   * Absolute path of the folder in which commands run. It is the manifest's folder, or the build's after
   * preparation.
   */
  readonly folder: string;
  /** Address and process id of a server that already runs; null if Stampede starts it. */
  readonly attached: { readonly origin: string; readonly pid: number | null } | null;
}
