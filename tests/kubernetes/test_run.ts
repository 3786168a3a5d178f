/** A TestRun of k6-operator, with the commands of docs/beyond_one_machine.md. */
import { parseAllDocuments } from "yaml";
import { Failure } from "../../src/model/errors.ts";
import type { ProcessScope } from "../../src/process/scope.ts";
import type { Cluster } from "./cluster.ts";

/** Longest time until a stage, in milliseconds. */
const LONGEST_MS = 240_000;
/** Stages that a TestRun does not leave. */
const LAST_STAGES = ["finished", "error"];

/** A pod of a TestRun. */
export interface Pod {
  readonly name: string;
  /** Whether it is a runner, which sends requests. */
  readonly isRunner: boolean;
  /** The status that `kubectl get pods` shows, such as `Error` or `CreateContainerConfigError`. */
  readonly status: string;
}

/** A TestRun in a manifest, whether it has been applied or not. */
export class TestRun {
  readonly name: string;
  readonly #cluster: Cluster;
  readonly #scope: ProcessScope;
  readonly #path: string;
  readonly #abort: AbortSignal;

  private constructor(
    name: string,
    path: string,
    { cluster, scope, abort }: { cluster: Cluster; scope: ProcessScope; abort: AbortSignal },
  ) {
    this.name = name;
    this.#path = path;
    this.#cluster = cluster;
    this.#scope = scope;
    this.#abort = abort;
  }

  /** Reads the name of the TestRun in a manifest. */
  static async in(
    path: string,
    place: { cluster: Cluster; scope: ProcessScope; abort: AbortSignal },
  ): Promise<TestRun> {
    const objects = parseAllDocuments(await Deno.readTextFile(path)).map((one) => one.toJS());
    const name = objects.find(({ kind }) => kind === "TestRun")?.metadata.name;
    if (typeof name !== "string") throw new Failure(`There is no TestRun in ${path}`);
    return new TestRun(name, path, place);
  }

  /** Applies the manifest and returns what kubectl prints. */
  async apply(): Promise<string> {
    return await this.#cluster.ask(["apply", "--server-side", "-f", this.#path]);
  }

  /** Deletes the objects of the manifest, after their jobs and pods: a new TestRun would meet the old ones. */
  async delete(): Promise<void> {
    const options = ["--cascade=foreground", "--ignore-not-found"];
    await this.#cluster.ask(["delete", "-f", this.#path, ...options]);
  }

  async stage(): Promise<string> {
    return await this.#cluster.ask(["get", "testrun", this.name, "-o", "jsonpath={.status.stage}"]);
  }

  /** Waits until the TestRun is in a stage. Throws a Failure if it ends in another one. */
  async untilStage(wanted: string): Promise<void> {
    const reached = Promise.withResolvers<void>();
    // A single process that waits, because repeated calls would take CPU time from the load
    const watch = this.#scope.spawn({
      argv: this.#cluster.kubectlArgv(
        ["get", "testrun", this.name, "--watch", "-o", 'jsonpath={.status.stage}{"\\n"}'],
      ),
      cpus: this.#cluster.main.cpus,
      onLine: (stage) => {
        if (stage === wanted) reached.resolve();
        else if (LAST_STAGES.includes(stage)) {
          reached.reject(new Failure(`${this.name} is in the stage ${stage}, not ${wanted}`));
        }
      },
    });
    watch.ended.then(() => reached.reject(new Failure(`kubectl ${watch.howItEnded}`)));
    const late = AbortSignal.timeout(LONGEST_MS);
    const signal = AbortSignal.any([late, this.#abort]);
    const onAbort = async (): Promise<void> => {
      if (!late.aborted) return reached.reject(this.#abort.reason);
      const pods = (await this.pods()).map(({ name, status }) => `${name} ${status}`).join(", ");
      reached.reject(
        new Failure(`${this.name} was not ${wanted} after ${LONGEST_MS / 1000} s: ${pods}`),
      );
    };
    signal.addEventListener("abort", onAbort);
    try {
      await reached.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
      await watch.stop();
    }
  }

  /** Returns the pods: those of runners, of the initializer and of the starter. */
  async pods(): Promise<Pod[]> {
    const text = await this.#cluster.ask(
      ["get", "pods", "-l", `k6_cr=${this.name}`, "--no-headers", "--show-labels"],
    );
    return text.trim().split("\n").filter((line) => line !== "").map((line) => {
      const [name = "", , status = ""] = line.split(/\s+/);
      return { name, status, isRunner: line.includes("runner=true") };
    });
  }

  /** Returns the output of all runners. */
  async log(): Promise<string> {
    const runners = `k6_cr=${this.name},runner=true`;
    return await this.#cluster.ask(["logs", "-l", runners, "--prefix=false", "--tail=-1"]);
  }
}
