/** Everything that the action touches of the world around it, so that tests can be that world. */
export interface ActionContext {
  /** A variable of the environment. */
  env(name: string): string | undefined;
  /** Prints a line to the job's log, where lines that begin with `::` are commands. */
  say(line: string): void;
  /**
   * Runs a command of `bench`, whose output goes to the job's log.
   *
   * @param folder where it runs
   * @param timeoutMs after so many milliseconds it is told to stop, and soon after killed
   * @returns its exit code
   */
  bench(args: readonly string[], folder: string, timeoutMs: number): Promise<number>;
  /** Waits so many milliseconds. */
  pause(ms: number): Promise<void>;
  /** How long GitHub may take to answer, in milliseconds. */
  readonly timeoutMs: number;
}

/** A variable, or the empty text. */
export function variable(world: ActionContext, name: string): string {
  return world.env(name) ?? "";
}
