import { dirname, join } from "node:path";
import { connect } from "../database/client.ts";
import { foreignDatabase, provideDatabase } from "../database/provide.ts";
import type { MachineFacts } from "../machine/facts.ts";
import { planPinning } from "../machine/pinning.ts";
import { readMachine } from "../machine/read_machine.ts";
import type { Pinning } from "../model/report.ts";
import { ProcessScope } from "../process/scope.ts";
import { prepareTls, useTls } from "../process/tls_client.ts";
import { StoredChoices } from "./generator_choices.ts";
import { findGenerators, type GeneratorStatus } from "./generator_pool.ts";
import type { Origin, ProgressListener, Testbed, TestbedNeeds } from "./testbed.ts";
import { HELLO, OpenLocalTestbed } from "./open_local_testbed.ts";

/** Name of the file with the chosen load generators. The file is next to the folder of builds. */
export const CHOICES_FILE = "generators.json";

/** Options of a testbed on this machine. */
export interface LocalTestbedOptions {
  readonly origin: Origin;
  /** Returns the value of an environment variable. Some variables name a database. */
  readonly env: (name: string) => string | undefined;
  readonly allowRemoteDatabase: boolean;
  /** Folder of all builds; null without a cache. */
  readonly cache: string | null;
  /** Folder in which the run was started. The report records its commit. */
  readonly folder: string;
}

/** This machine: real processes, a real database and real load. */
export class LocalTestbed implements Testbed {
  readonly #options: LocalTestbedOptions;

  constructor(options: LocalTestbedOptions) {
    this.#options = options;
  }

  get origin(): Origin {
    return this.#options.origin;
  }

  nowMs(): number {
    return performance.now();
  }

  generators(): Promise<GeneratorStatus[]> {
    return findGenerators();
  }

  async open(needs: TestbedNeeds, onProgress: ProgressListener): Promise<OpenLocalTestbed> {
    const { env, allowRemoteDatabase: allowRemote } = this.#options;
    const machine = readMachine();
    const isOurs = needs.database && foreignDatabase({ env, allowRemote }) === null;
    const pinning = needs.pins ? pinningOf(machine, isOurs, onProgress) : null;
    const scope = new ProcessScope();
    let tls: Disposable | null = null;
    try {
      if (needs.tls !== null) {
        tls = useTls(await prepareTls(needs.tls, await scope.makeFolder()));
      }
      if (needs.database) onProgress({ kind: "phase", phase: { kind: "database" } });
      const database = needs.database
        ? await provideDatabase(scope, {
          env,
          allowRemote,
          connections: needs.databaseConnections,
          cpus: pinning?.database ?? null,
          onChosen: (label, isEmbedded) =>
            onProgress({ kind: "note", note: { kind: "database", label, isEmbedded } }),
        })
        : null;
      const client = database && await connect(database.address);
      const { cache } = this.#options;
      return new OpenLocalTestbed({
        cache,
        generatorChoices: await StoredChoices.open(cache && join(dirname(cache), CHOICES_FILE)),
        folder: this.#options.folder,
        machine,
        pinning,
        scope,
        tls,
        source: database,
        client,
        helloHtml: await Deno.readTextFile(HELLO),
      });
    } catch (error) {
      tls?.[Symbol.dispose]();
      await scope[Symbol.asyncDispose]();
      throw error;
    }
  }
}

/** Returns the processors of each component. Returns null and notes the reason if the machine has too few. */
function pinningOf(
  machine: MachineFacts,
  database: boolean,
  onProgress: ProgressListener,
): Pinning | null {
  const pinning = planPinning(machine, { database });
  if (!("reason" in pinning)) return pinning;
  onProgress({ kind: "note", note: { kind: "unpinned", reason: pinning.reason } });
  return null;
}
