import { basename, dirname, join } from "node:path";
import { isSameResult } from "../analysis/result_key.ts";
import { Failure } from "../model/errors.ts";
import type { ResultKey } from "../model/derived.ts";
import type { RunEvent } from "../model/events.ts";
import type { Report } from "../model/report.ts";
import { writeWhole } from "../results/store.ts";

/** The profiles of a run as files beside its report, which DevTools open. */
export class ProfileFiles {
  readonly #report: string;
  readonly #tell: (text: string) => void;
  readonly #files: { readonly key: ResultKey; readonly names: readonly string[] }[] = [];

  /**
   * @param report path of the run's report
   * @param tell hears of a file that cannot be written
   */
  constructor(report: string, tell: (text: string) => void) {
    this.#report = report;
    this.#tell = tell;
  }

  /** Writes what V8 said of a server at a scenario; what cannot be written ends no run. */
  async write({ profile, threads }: Extract<RunEvent, { kind: "profiled" }>): Promise<void> {
    const names: string[] = [];
    for (const [i, thread] of threads.entries()) {
      const name = this.#nameOf(profile, threads.length > 1 ? i + 1 : null);
      try {
        await writeWhole(join(dirname(this.#report), name), JSON.stringify(thread));
        names.push(name);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.#tell(error.message);
      }
    }
    this.#files.push({ key: profile, names });
  }

  /** A report that names the files. */
  named(report: Report): Report {
    const namesOf = (key: ResultKey): readonly string[] =>
      this.#files.find((file) => isSameResult(file.key, key))?.names ?? [];
    const profiles = report.profiles.map((profile) => ({ ...profile, files: namesOf(profile) }));
    return { ...report, profiles };
  }

  /** By server and scenario; and by the load, where another one has that name. */
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
