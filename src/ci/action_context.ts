/** Everything that the action uses of its surroundings, so that tests can replace it. */
export interface ActionContext {
  /** Returns an environment variable. */
  env(name: string): string | undefined;
  /** Prints a line to the job's log. Lines that begin with `::` are commands. */
  say(line: string): void;
  /**
   * Runs a command of `bench`. Its output goes to the job's log.
   *
   * @param folder its working directory
   * @param timeoutMs milliseconds after which it is asked to stop, and soon after killed
   * @returns its exit code
   */
  bench(args: readonly string[], folder: string, timeoutMs: number): Promise<number>;
  /** Waits for a number of milliseconds. */
  pause(ms: number): Promise<void>;
  /** Timeout of a request to GitHub, in milliseconds. */
  readonly timeoutMs: number;
}

/** Returns an environment variable, or the empty text. */
export function variable(world: ActionContext, name: string): string {
  return world.env(name) ?? "";
}
