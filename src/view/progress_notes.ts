/** Makes texts for the events of a run other than figures. */
import type { Note, Phase, WhyMore } from "../model/events.ts";
import { duration, rate } from "./format.ts";
import { faultName } from "./tables/faults_table.ts";

/** Time after which a phase shows how long it has taken, in seconds. */
const LONG_S = 2;

/**
 * Returns what the run is doing now: `Looking for the fastest load generator, 12 s`.
 *
 * @param tookS seconds since the phase was reported
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
      return `Checking the open loop against theory at ${rate(phase.perS)} req/s`;
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

/** Returns a note of a run as a sentence: `Loading with wrk`. */
export function describeNote(note: Note): string {
  switch (note.kind) {
    case "database":
      return `Using ${describeDatabase(note)}`;
    case "building":
      return `Building ${note.server}, once: later runs reuse it`;
    case "build-in-use":
      return `Waiting for another Stampede that builds or uses ${note.server}; another --cache folder avoids the wait`;
    case "built":
      return `Built ${note.server} in ${Math.round(note.tookS)} s: ${
        Math.ceil(note.bytes / 1e6)
      } MB in the cache`;
    case "unpinned":
      return `Not pinned: ${note.reason}`;
    case "no-reference":
      return `No relative CPU time, because ${note.server} is missing: ${note.reason}`;
    case "ceiling": {
      const { generator, responsesPerS, problem } = note;
      const reached = responsesPerS === null ? problem : `${rate(responsesPerS)} req/s`;
      return `${generator}: ${reached} against canned bytes`;
    }
    case "loading": {
      const { generator, scenarios } = note;
      return scenarios === null
        ? `Loading with ${generator}`
        : `Loading ${scenarios.join(", ")} with ${generator}, the only generator that supports it`;
    }
    case "taken-over":
      return `Loading ${note.scenarios.join(", ")} with ${note.generator}, because ${
        note.limited.join(" or ")
      } would be the bottleneck${note.isKept ? ", as an earlier run found" : ""}`;
    case "exposed":
      return `Other users of this machine can read the request's ${
        note.parts.join(" and ")
      } in the command line of ${note.generator}: choose another --generator to hide them`;
    case "waves": {
      const waves = note.scenarios.join(", ");
      const blind = note.generators.join(", ");
      return `${waves}: responses come in waves, and ${blind} counts the last, partial wave wrongly; --generator ${note.knows} does not`;
    }
  }
}

/** Returns the label of a database, and whether Stampede runs it: `PostgreSQL … at … (embedded)`. */
export function describeDatabase(
  { label, isEmbedded }: Extract<Note, { kind: "database" }>,
): string {
  return `${label}${isEmbedded ? " (embedded)" : ""}`;
}

/** Returns why the run measures more than was planned. */
export function describeMore(why: WhyMore): string {
  switch (why.kind) {
    case "pilot":
      return `Checking whether ${why.generators.join(" or ")} would be the bottleneck`;
    case "scale":
      return `Scale test of ${why.scenario}: twice the ${why.what}`;
    case "width":
      return `Adding round ${why.round}: half intervals exceed ${
        Math.round(1000 * why.width) / 10
      } %`;
    case "search":
      return `${why.scenario} of ${why.variant}: is the SLO met at ${rate(why.perS)}/s${
        why.isFresh ? " by a fresh process" : ""
      }?`;
    case "curve":
      return `${why.scenario} of ${why.variant} meets the SLO at ${
        rate(why.perS)
      }/s: measuring response times at shares of it`;
    case "confirm":
      return `Adding round ${why.round} to confirm the slowdown of ${why.scenarios.join(", ")}`;
  }
}
