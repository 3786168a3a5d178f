/** Servers, as their manifests describe them. */
import {
  amount,
  flag,
  list,
  matching,
  named,
  nonEmpty,
  nullable,
  object,
  oneOf,
  optional,
  ordinal,
  positive,
  record,
  type Static,
  text,
  unnamed,
  upTo,
  withDefault,
} from "./json_schema.ts";
import { LONGEST_WAIT_S, LONGEST_WARMUP_S } from "./limits.ts";
import { requestPath } from "./scenario.ts";
import { alpn } from "./tls.ts";

const Command = named(
  "Command",
  list(text, { minItems: 1, description: "A program with its arguments." }),
);

export const Requirement = object(
  "Requirement",
  "A program that a server needs, and how to install it.",
  {
    command: [Command, "Command that prints its version."],
    name: [optional(text), "Its name, if the command does not say it."],
    minimum: [matching(/^\d+(\.\d+)*$/), "Minimum version."],
    install: [text, "Installation instructions for people."],
  },
);
export interface Requirement extends Static<typeof Requirement> {}

export const Manifest = object("Manifest", "The manifest of a server, server.json.", {
  $schema: [optional(text), "Address of this schema, for editors."],
  id: [matching(/^[a-z][a-z0-9-]*$/), "The folder's name."],
  name: [nonEmpty, "Its name for people."],
  language: [text, "Its programming language."],
  framework: [withDefault(nullable(text), null), "Its framework."],
  basedOn: [
    withDefault(nullable(text), null),
    "Id of the server that provides the runtime or library. A server that beats its own base beyond noise gets a warning: something is wrong with one of them.",
  ],
  approach: [
    withDefault(oneOf("idiomatic", "tuned"), "idiomatic"),
    "`idiomatic`: written as its documentation recommends. `tuned`: optimised for speed.",
  ],
  why: [
    withDefault(nullable(text), null),
    "Why it is tuned, or another note for readers of its figures.",
  ],
  scenarios: [
    record(record(text)),
    "Its scenarios, each with implementation notes: validator, offload, driver, pool.",
  ],
  workers: [
    withDefault(oneOf("configurable", "one", "unlimited"), "one"),
    "Effect of WORKERS. `configurable`: it sets the number of processes or scheduler threads. `one`: there is always one. `unlimited`: the server chooses. Ranks compare servers with the same number.",
  ],
  takesTurns: [
    withDefault(flag, false),
    "Whether its threads take turns: at most WORKERS of them run at the same time, as with GOMAXPROCS or a global interpreter lock. Without this, the bottleneck cannot be found.",
  ],
  tls: [
    withDefault(list(alpn), []),
    "Protocols over TLS by ALPN name, if TLS_CERT and TLS_KEY name a certificate and its key. Empty if the server ignores them.",
  ],
  maxConnections: [
    withDefault(nullable(ordinal), null),
    "Maximum number of connections that it accepts at once.",
  ],
  warmupS: [
    withDefault(nullable(upTo(LONGEST_WARMUP_S, amount)), null),
    "Warm-up in seconds until its rate is steady, if longer than the default of 0.5, for example with a JIT compiler.",
  ],
  http: [
    withDefault(oneOf("full", "minimal"), "full"),
    "`minimal` for a server on raw sockets, which is checked only for keep-alive and its own scenarios.",
  ],
  exceptions: [
    withDefault(record(nonEmpty), {}),
    "Ids of checks of `bench verify` that it may fail, each with the reason.",
  ],
  sources: [
    withDefault(text, "."),
    "Folder of its sources, relative to this one, if it shares another server's sources.",
  ],
  requires: [
    withDefault(list(Requirement), []),
    "Programs that the server needs. If one is missing, the server is skipped, and the table says why.",
  ],
  prepare: [
    withDefault(list(Command), []),
    "Commands that build the server, in order, within ten minutes. They run in a copy of the sources in Stampede's cache. The copy is reused until the sources, these commands or the versions of the required programs change. `start` then runs there too.",
  ],
  start: [Command, "The command that starts it."],
  env: [
    withDefault(record(text), {}),
    "Environment variables in addition to the contract's (docs/contract.md). They may repeat those under another name.",
  ],
  ready: [
    withDefault(
      unnamed("The readiness check.", {
        path: [withDefault(requestPath, "/"), "Path of the request."],
        timeoutS: [withDefault(upTo(LONGEST_WAIT_S, positive), 20), "Timeout in seconds."],
      }),
      {},
    ),
    "The server is ready when it answers this path with any status below 500.",
  ],
  versions: [
    withDefault(record(Command), {}),
    "Commands that print a version in their first line, by the name of the versioned program.",
  ],
});

export interface Manifest extends Static<typeof Manifest> {}

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
