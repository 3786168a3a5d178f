import { postgresAccount, startEmbedded } from "../src/database/provide.ts";
import type { Child } from "../src/process/child.ts";
import { ProcessScope } from "../src/process/scope.ts";

/** A PostgreSQL server that a test can stop and restart at the same address with the same data. */
export class OwnCluster implements AsyncDisposable {
  readonly #scope: ProcessScope;
  readonly #argv: readonly string[];
  #process: Child;

  private constructor(
    scope: ProcessScope,
    process: Child,
    argv: readonly string[],
    readonly url: string,
  ) {
    this.#scope = scope;
    this.#process = process;
    this.#argv = argv;
  }

  static async create(): Promise<OwnCluster> {
    const scope = new ProcessScope();
    const { process, address } = await startEmbedded(scope, { connections: 100 });
    const command = await Deno.readTextFile(`/proc/${process.pid}/cmdline`);
    return new OwnCluster(scope, process, command.split("\0").slice(0, -1), address.url);
  }

  /** Folder of its data. */
  get data(): string {
    return this.#argv[this.#argv.indexOf("-D") + 1] ?? "";
  }

  /** The end of its log. */
  get lastWords(): string {
    return this.#process.lastWords;
  }

  get pid(): number {
    return this.#process.pid;
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }

  async start(...more: readonly string[]): Promise<void> {
    const account = await postgresAccount();
    this.#process = this.#scope.spawn({
      argv: [...this.#argv, ...more],
      cwd: this.data,
      env: { LC_ALL: "C" },
      stopSignal: "SIGINT",
      ...account,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scope[Symbol.asyncDispose]();
  }
}
