/** The functions by which the action reaches its surroundings. Tests replace them. */
export interface ActionContext {
  /** Returns an environment variable. */
  env(name: string): string | undefined;
  /** Prints a line to the job's log. Lines that begin with `::` are commands. */
  say(line: string): void;
  /**
   * Runs a command of `bench`. Its output goes to the job's log.
   *
   * @param args the command's arguments
   * @param folder the command's working directory
   * @param timeoutMs milliseconds after which the command is asked to stop, and soon after killed
   * @returns the command's exit code
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
