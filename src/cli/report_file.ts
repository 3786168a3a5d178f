import { Failure } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { setAside, stampOf, writeReport } from "../results/store.ts";
import { count } from "../view/format.ts";

/**
 * The file that a run keeps its report in. A report that cannot be written, as when the disk is full, ends no
 * run: the next one may be. What another program has made of the file meanwhile is set aside, once.
 */
export class ReportFile {
  readonly path: string;
  readonly #tell: (text: string) => void;
  #problem: string | null = null;
  /** Windows of the report that is there; null: there is none of this run. */
  #windows: number | null = null;
  /** Of the report that is there; null: there is none of this run, or it does not matter any more. */
  #stamp: string | null = null;
  #isContested = false;

  /** @param tell hears of it when a report cannot be written, once, and when the file was changed */
  constructor(path: string, tell: (text: string) => void) {
    this.path = path;
    this.#tell = tell;
  }

  /** Writes a report in the place of the one before. */
  async write(report: Report): Promise<void> {
    try {
      await this.#makeRoom();
      await writeReport(this.path, report);
      this.#stamp = this.#isContested ? null : await stampOf(this.path);
      this.#problem = null;
      this.#windows = report.trialResults.length;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (this.#problem === null) this.#tell(`${error.message}; the run goes on, and tries again`);
      this.#problem = error.message;
    }
  }

  /** Removes what this run wrote. */
  async discard(): Promise<void> {
    const found = await stampOf(this.path);
    if (this.#stamp !== null && found === this.#stamp) await Deno.remove(this.path);
  }

  /** Sets aside what is there, if that is not what this run wrote. */
  async #makeRoom(): Promise<void> {
    const found = await stampOf(this.path);
    if (this.#stamp === null || found === null || found === this.#stamp) return;
    this.#isContested = true;
    this.#windows = null;
    const aside = await setAside(this.path);
    this.#tell(
      `Something else has changed ${this.path}: that is in ${aside} now, and what changes it again is lost`,
    );
  }

  /** Why the last report is not in the file, and what is; null if it is. */
  get problem(): string | null {
    if (this.#problem === null) return null;
    return this.#windows === null
      ? `${this.#problem}; nothing of this run is there`
      : `${this.#problem}; what is there is the run after ${count(this.#windows, "window")}`;
  }
}
