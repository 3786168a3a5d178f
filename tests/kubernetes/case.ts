/** The cases of `deno task test:cluster`, and their clusters. */
import type { Layout } from "./cluster.ts";
import type { Lab } from "./loads.ts";

/** The clusters: all programs share two processors or more; runners have their own; eight workers. */
export type LayoutName = "shared" | "separate" | "many";

/** Returns the layout for a machine with these processors. */
export function layoutOf(name: LayoutName, cpus: readonly number[]): Layout {
  if (name === "separate") {
    return { workers: 1, cpus: { runners: cpus.slice(-1), others: cpus.slice(0, -1) } };
  }
  return { workers: name === "many" ? 8 : 4, cpus: null };
}

/** A case. */
export interface ClusterCase {
  /** Its word on the command line. */
  readonly id: string;
  readonly what: string;
  readonly layout: LayoutName;
  /** Whether it runs only if it is named, because it measures and proves nothing. */
  readonly isOptional?: boolean;
  /** Runs it, and returns its figures. Throws if something is not as expected. */
  readonly run: (lab: Lab) => Promise<string>;
}
