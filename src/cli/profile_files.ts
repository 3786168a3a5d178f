import { basename, dirname, join } from "node:path";
import { isSameResult } from "../analysis/result_key.ts";
import { Failure } from "../model/errors.ts";
import type { ResultKey } from "../model/derived.ts";
import type { RunEvent } from "../model/events.ts";
import type { Report } from "../model/report.ts";
import { writeWhole } from "../results/store.ts";

/** Writes the profiles of a run as .cpuprofile files next to its report, for DevTools. */
export class ProfileFiles {
  readonly #report: string;
  readonly #warn: (text: string) => void;
  readonly #files: { readonly key: ResultKey; readonly names: readonly string[] }[] = [];

  /**
   * @param report path of the run's report
   * @param warn receives a message if a file cannot be written
   */
  constructor(report: string, warn: (text: string) => void) {
    this.#report = report;
    this.#warn = warn;
  }

  /** Writes the profile of a server at a scenario. A failed write does not end the run. */
  async write({ profile, threads }: Extract<RunEvent, { kind: "profiled" }>): Promise<void> {
    const names: string[] = [];
    for (const [i, thread] of threads.entries()) {
      const name = this.#nameOf(profile, threads.length > 1 ? i + 1 : null);
      try {
        await writeWhole(join(dirname(this.#report), name), JSON.stringify(thread));
        names.push(name);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.#warn(error.message);
      }
    }
    this.#files.push({ key: profile, names });
  }

  /** Adds the names of the written files to the profiles in a report. */
  named(report: Report): Report {
    const namesOf = (key: ResultKey): readonly string[] =>
      this.#files.find((file) => isSameResult(file.key, key))?.names ?? [];
    const profiles = report.profiles.map((profile) => ({ ...profile, files: namesOf(profile) }));
    return { ...report, profiles };
  }

  /** Returns a file name with server and scenario, and with the load if that name is taken. */
  #nameOf({ variant, scenario, connections, perS }: ResultKey, thread: number | null): string {
    const isTaken = this.#files.some(({ key }) =>
      key.variant === variant && key.scenario === scenario
    );
    const parts = [
      basename(this.#report).replace(/\.json$/, ""),
      variant,
      scenario,
      ...(isTaken
        ? [`${connections}-connections`, ...(perS === null ? [] : [`${perS}-per-s`])]
        : []),
      ...(thread === null ? [] : [String(thread)]),
    ];
    return `${parts.join(".").replaceAll(/[^\w.-]+/g, "-")}.cpuprofile`;
  }
}
