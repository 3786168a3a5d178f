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
} from "./schema.ts";
import { LONGEST_WAIT_S, LONGEST_WARMUP_S } from "./limits.ts";
import { requestPath } from "./scenario.ts";
import { alpn } from "./tls.ts";

const Command = named(
  "Command",
  list(text, { minItems: 1, description: "A program with its arguments." }),
);

export const Requirement = object(
  "Requirement",
  "A program that a server needs, and how to get it.",
  {
    command: [Command, "Prints its version."],
    name: [optional(text), "What it is called, where the command does not say it."],
    minimum: [matching(/^\d+(\.\d+)*$/), "The oldest version that will do."],
    install: [text, "How to get it, for a person."],
  },
);
export interface Requirement extends Static<typeof Requirement> {}

export const Manifest = object("Manifest", "What server.json says of a server.", {
  $schema: [optional(text), "Where this schema is, for editors."],
  id: [matching(/^[a-z][a-z0-9-]*$/), "The folder's name."],
  name: [nonEmpty, "What people call it."],
  language: [text, "What it is written in."],
  framework: [withDefault(nullable(text), null), "The framework that it uses."],
  basedOn: [
    withDefault(nullable(text), null),
    "Id of the server whose runtime or library this one is built on. One that beats its own base beyond noise gets a warning: something is wrong with one of them.",
  ],
  approach: [
    withDefault(oneOf("idiomatic", "tuned"), "idiomatic"),
    "Written as its documentation suggests, or for speed.",
  ],
  why: [
    withDefault(nullable(text), null),
    "Why it is tuned, or what else a reader of its figures should know.",
  ],
  scenarios: [
    record(record(text)),
    "The scenarios that it implements, each with notes on how: validator, offload, driver, pool.",
  ],
  workers: [
    withDefault(oneOf("configurable", "one", "unlimited"), "one"),
    "What WORKERS does: it sets the server's processes or scheduler threads; nothing, since there is always one; nothing, since there are as many as it likes. Ranks are among servers with as many.",
  ],
  takesTurns: [
    withDefault(flag, false),
    "Its threads take turns: no more of them run at a time than it has workers, however many there are. So it is with GOMAXPROCS, or a global interpreter lock; the bottleneck cannot be found without it.",
  ],
  tls: [
    withDefault(list(alpn), []),
    "What it speaks over TLS, where TLS_CERT and TLS_KEY name a certificate and its key: nothing, since it does not look at them, or HTTP/1.1 and HTTP/2, by the names of ALPN.",
  ],
  maxConnections: [
    withDefault(nullable(ordinal), null),
    "Where it takes no more connections than this at once.",
  ],
  warmupS: [
    withDefault(nullable(upTo(LONGEST_WARMUP_S, amount)), null),
    "Seconds of load until its rate is steady, where that takes longer than the default of 0.5: a compiler that works while it runs, say.",
  ],
  http: [
    withDefault(oneOf("full", "minimal"), "full"),
    "`minimal` for a server on raw sockets, which is asked for keep-alive and its own scenarios only.",
  ],
  exceptions: [
    withDefault(record(nonEmpty), {}),
    "Checks of `bench verify` that it need not pass, by their ids, each with the reason.",
  ],
  sources: [
    withDefault(text, "."),
    "The folder of its sources, if it shares those of another server: relative to this one.",
  ],
  requires: [
    withDefault(list(Requirement), []),
    "Programs that the server needs. Without one of them it is skipped, and the table says why.",
  ],
  prepare: [
    withDefault(list(Command), []),
    "Commands that build the server, in order. They run in a copy of the sources in Stampede's cache, which is kept for as long as the sources, these commands and the versions of the required programs stay the same; `start` then runs there too. They have ten minutes.",
  ],
  start: [Command, "The command that starts it."],
  env: [
    withDefault(record(text), {}),
    "Variables beside those of the contract (docs/contract.md), which they may repeat under another name.",
  ],
  ready: [
    withDefault(
      unnamed("When it is ready.", {
        path: [withDefault(requestPath, "/"), "What it is asked."],
        timeoutS: [withDefault(upTo(LONGEST_WAIT_S, positive), 20), "How long that may take."],
      }),
      {},
    ),
    "It is ready when it answers this path with any status below 500.",
  ],
  versions: [
    withDefault(record(Command), {}),
    "Commands whose first line of output is a version, by what it is the version of.",
  ],
});

export interface Manifest extends Static<typeof Manifest> {}

/** A server's manifest, with the folder that it lies in. */
export interface Server extends Manifest {
  /** Absolute path of its manifest's folder, or once it is prepared of its build; commands run here. */
  readonly folder: string;
  /** Where it runs already, and as which process if that is known; null: it is to be started. */
  readonly attached: { readonly origin: string; readonly pid: number | null } | null;
}
