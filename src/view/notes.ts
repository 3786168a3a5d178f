/** The words of what happens in a run that is no figure. */
import type { Note, Phase, WhyMore } from "../model/events.ts";
import { rate } from "./format.ts";
import { faultName } from "./tables/faults.ts";

/** What is being done. */
export function describePhase(phase: Phase): string {
  switch (phase.kind) {
    case "database":
      return "Starting the database";
    case "open-check":
      return `Checking the open loop against theory at ${rate(phase.perS)} requests a second`;
    case "profiling":
      return `Profiling ${phase.server} at ${phase.scenario}`;
    case "fastest":
      return "Looking for the fastest load generator";
    case "fault":
      return `${phase.server}: ${faultName(phase.fault)}`;
    case "building": {
      const { server, command, line, tookS } = phase;
      const doing = `Building ${server}${command === null ? "" : `: ${command}`}`;
      return line === null ? doing : `${doing} (${Math.round(tookS)} s) ${line.trim()}`;
    }
  }
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
      return `Built ${note.server} in ${Math.round(note.tookS)} s`;
    case "unpinned":
      return `Not pinned: ${note.reason}`;
    case "no-reference":
      return `No cost in reference answers: there is no ${note.server}: ${note.reason}`;
    case "ceiling": {
      const { generator, answersPerS, problem } = note;
      const reached = answersPerS === null ? problem : `${rate(answersPerS)} answers a second`;
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
      } would be the limit${note.isKept ? ", by an earlier run" : ""}`;
    case "exposed":
      return `${note.generator} has the ${
        note.parts.join(" and the ")
      } of the request in its command line, where other users of this machine can read them: choose another --generator to hide them`;
    case "waves": {
      const waves = note.scenarios.join(", ");
      const blind = note.generators.join(", ");
      return `${waves}: ${blind} cannot tell where a wave of answers begins, and counts the last wait as a whole or not at all; ${note.knows} can`;
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
    case "probe":
      return `Looking whether ${why.generators.join(" or ")} would be the limit`;
    case "scale":
      return `scale test of ${why.scenario}: twice the ${why.what}`;
    case "width":
      return `round ${why.round}: intervals wider than ${Math.round(1000 * why.width) / 10} %`;
    case "search":
      return `${why.scenario} of ${why.arm}: is the objective met at ${rate(why.perS)}/s${
        why.isFresh ? " by a fresh process" : ""
      }?`;
    case "curve":
      return `${why.scenario} of ${why.arm} holds ${
        rate(why.perS)
      }/s: response times at shares of it`;
    case "confirm":
      return `round ${why.round}: whether ${why.scenarios.join(", ")} is slower is measured again`;
  }
}
