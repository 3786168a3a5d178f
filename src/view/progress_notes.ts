/** The words of what happens in a run that is no figure. */
import type { Note, Phase, WhyMore } from "../model/events.ts";
import { duration, rate } from "./format.ts";
import { faultName } from "./tables/faults_table.ts";

/** Seconds after which a phase shows its elapsed time. */
const LONG_S = 2;

/**
 * Words a phase.
 *
 * @param tookS for how many seconds already
 */
export function describePhase(phase: Phase, tookS: number): string {
  if (phase.kind === "building") return describeBuilding(phase, phase.tookS + tookS);
  const doing = doingOf(phase);
  return tookS < LONG_S ? doing : `${doing}, ${duration(tookS)}`;
}

function doingOf(phase: Exclude<Phase, { readonly kind: "building" }>): string {
  switch (phase.kind) {
    case "database":
      return "Starting the database";
    case "open-check":
      return `Checking the open loop against theory at ${rate(phase.perS)} requests a second`;
    case "profiling":
      return `Profiling ${phase.server} at ${phase.scenario}`;
    case "fastest":
      return "Looking for the fastest load generator";
    case "ceiling":
      return `[${phase.place}/${phase.of}] ${phase.generator} against canned bytes`;
    case "fault":
      return `[${phase.place}/${phase.of}] ${phase.server}: ${faultName(phase.fault)}`;
  }
}

function describeBuilding(
  { server, command, line }: Extract<Phase, { readonly kind: "building" }>,
  tookS: number,
): string {
  const doing = `Building ${server}${command === null ? "" : `: ${command}`}`;
  const took = tookS < LONG_S ? "" : ` (${duration(tookS)})`;
  return `${doing}${took}${line === null ? "" : ` ${line.trim()}`}`;
}

/** What a person should know. */
export function describeNote(note: Note): string {
  switch (note.kind) {
    case "database":
      return `Using ${describeDatabase(note)}`;
    case "building":
      return `Building ${note.server}, which later runs need not do again`;
    case "build-in-use":
      return `Waiting for another Stampede, which builds ${note.server} or uses it: --cache with another folder does not wait`;
    case "built":
      return `Built ${note.server} in ${Math.round(note.tookS)} s: ${
        Math.ceil(note.bytes / 1e6)
      } MB in the cache`;
    case "unpinned":
      return `Not pinned: ${note.reason}`;
    case "no-reference":
      return `No relative CPU time: there is no ${note.server}: ${note.reason}`;
    case "ceiling": {
      const { generator, responsesPerS, problem } = note;
      const reached = responsesPerS === null
        ? problem
        : `${rate(responsesPerS)} responses a second`;
      return `${generator}: ${reached} against canned bytes`;
    }
    case "loading": {
      const { generator, scenarios } = note;
      return scenarios === null
        ? `Loading with ${generator}`
        : `Loading ${scenarios.join(", ")} with ${generator}, which alone knows how`;
    }
    case "taken-over":
      return `Loading ${note.scenarios.join(", ")} with ${note.generator}, since ${
        note.limited.join(" or ")
      } would be the bottleneck${note.isKept ? ", by an earlier run" : ""}`;
    case "exposed":
      return `${note.generator} has the ${
        note.parts.join(" and the ")
      } of the request in its command line, where other users of this machine can read them: choose another --generator to hide them`;
    case "waves": {
      const waves = note.scenarios.join(", ");
      const blind = note.generators.join(", ");
      return `${waves}: ${blind} cannot tell where a wave of responses begins, and counts the last wait as a whole or not at all; ${note.knows} can`;
    }
  }
}

/** A database as people know it. */
export function describeDatabase(
  { label, isEmbedded }: Extract<Note, { kind: "database" }>,
): string {
  return `${label}${isEmbedded ? " (embedded)" : ""}`;
}

/** Why more is measured. */
export function describeMore(why: WhyMore): string {
  switch (why.kind) {
    case "pilot":
      return `Looking whether ${why.generators.join(" or ")} would be the bottleneck`;
    case "scale":
      return `scale test of ${why.scenario}: twice the ${why.what}`;
    case "width":
      return `round ${why.round}: intervals wider than ${Math.round(1000 * why.width) / 10} %`;
    case "search":
      return `${why.scenario} of ${why.variant}: is the SLO met at ${rate(why.perS)}/s${
        why.isFresh ? " by a fresh process" : ""
      }?`;
    case "curve":
      return `${why.scenario} of ${why.variant} holds ${
        rate(why.perS)
      }/s: response times at shares of it`;
    case "confirm":
      return `round ${why.round}: whether ${why.scenarios.join(", ")} is slower is measured again`;
  }
}
