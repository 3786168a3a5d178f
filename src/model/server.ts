/** Servers, as their manifests describe them. */

/** A server's manifest, as in `server.json`, with the folder that it lies in. */
export interface Server {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly framework: string | null;
  /** The id of the server whose runtime or library this one is built on. */
  readonly basedOn: string | null;
  readonly approach: "idiomatic" | "tuned";
  /** Why it is tuned, or what else a reader of its figures should know. */
  readonly why: string | null;
  /** Scenario ids with how each is implemented. */
  readonly scenarios: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whether WORKERS sets its processes or threads, or it has one always, or as many as it likes. */
  readonly workers: "configurable" | "one" | "unlimited";
  /** Whether no more of its threads run at a time than it has workers, however many there are. */
  readonly takesTurns: boolean;
  /** `minimal`: on raw sockets, asked for little of HTTP. */
  readonly http: "full" | "minimal";
  /** Checks that it need not pass, by their ids, each with the reason. */
  readonly exceptions: Readonly<Record<string, string>>;
  /** The folder of its sources, relative to its own. */
  readonly sources: string;
  readonly requires: readonly Requirement[];
  /** Commands that build the server, in order, in a copy of its sources. */
  readonly prepare: readonly (readonly string[])[];
  readonly start: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly ready: { readonly path: string; readonly timeoutS: number };
  /** Where a server takes no more connections than this at once; null: as many as come. */
  readonly maxConnections: number | null;
  /** Seconds of load until its rate is steady, where that takes longer than usual. */
  readonly warmupS: number | null;
  /** Commands whose first line of output is a version, by what it is the version of. */
  readonly versions: Readonly<Record<string, readonly string[]>>;
  /** Absolute path of its manifest's folder, or once it is prepared of its build; commands run here. */
  readonly folder: string;
  /** Variables that it is started with, over those of the contract. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where it runs already, and as which process if that is known; null: it is to be started. */
  readonly attached: { readonly origin: string; readonly pid: number | null } | null;
}

/** A program that a server needs, and how to get it. */
export interface Requirement {
  /** Prints its version. */
  readonly command: readonly string[];
  /** What it is called, where the command does not say it. */
  readonly name?: string;
  readonly minimum: string;
  readonly install: string;
}
