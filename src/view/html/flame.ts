import { hotFunctions, usPerResponse } from "../../analysis/hot_functions.ts";
import type { FoldedStacks, Frame, Profile } from "../../model/profile.ts";
import type { Report } from "../../model/report.ts";
import { microseconds, share } from "../format.ts";
import { functionName, whereTime } from "../profiles_text.ts";
import type { Table } from "../table.ts";
import { workloadNamer } from "../workload_names.ts";
import type { Chart } from "./chart.ts";
import { type Markup, markup } from "./markup.ts";

/** The flame graphs of a scenario: how to read them, and each with the server that it is of. */
export interface Flames {
  readonly note: string;
  readonly legend: NonNullable<Chart["legend"]>;
  readonly graphs: readonly (Chart & { readonly server: string })[];
}

/** How much there is room for. */
interface FlameExtent {
  readonly workload: string;
  /** Functions that are drawn. */
  readonly most: number;
  readonly hasTable: boolean;
}

const BOX = 17;
/** With a pixel between rows. */
const ROW: number = BOX + 1;
/** So many functions are drawn on a page at most, over all its graphs, so that it stays short. */
const MOST_ON_PAGE = 1000;
const LEAST_OF_EACH = 6;
/** Functions in the table at most; of many graphs there are none. */
const HOTTEST = 12;
const MOST_TABLES = 40;
/** A narrower box has no room for a name. */
const NAMED_SHARE = 0.02;
const KINDS = [
  ["own", "own files"],
  ["package", "packages"],
  ["runtime", "the runtime's modules"],
  ["native", "not JavaScript"],
] as const satisfies readonly (readonly [Frame["kind"], string])[];

/** A flame graph of each server that was profiled at a scenario; null if none was. */
export function flames({ profiles, results }: Report, scenario: string): Flames | null {
  const drawn = profiles.filter(({ foldedStacks }) => foldedStacks !== null);
  const own = drawn.filter((profile) => profile.scenario === scenario);
  if (own.length === 0) return null;
  const most = Math.max(LEAST_OF_EACH, Math.floor(MOST_ON_PAGE / drawn.length));
  const nameOf = workloadNamer(results);
  return {
    note:
      "V8 profiled each server after everything was measured, in a process of its own, which is slower for it: no figure of this page comes from there. A box is a function, as wide as its share of the samples in JavaScript, below the one that called it.",
    legend: KINDS.map(([kind, name]) => ({ name, color: `var(--${kind})` })),
    graphs: own.flatMap((profile) =>
      profile.foldedStacks === null ? [] : [graphOf(profile, profile.foldedStacks, {
        workload: nameOf(profile),
        most,
        hasTable: drawn.length <= MOST_TABLES,
      })]
    ),
  };
}

function graphOf(
  profile: Profile,
  foldedStacks: FoldedStacks,
  { workload, most, hasTable }: FlameExtent,
): Flames["graphs"][number] {
  const { variant, threads } = profile;
  return {
    server: variant,
    title: threads > 1 ? `${variant}, ${threads} threads` : variant,
    note: `${whereTime(profile)}.`,
    svg: draw(
      profile,
      foldedStacks,
      `${variant} at ${workload}: functions by the time that they take`,
      most,
    ),
    table: hasTable ? tableOf(profile, foldedStacks) : null,
  };
}

function draw(
  profile: Profile,
  { frames, inCalls }: FoldedStacks,
  label: string,
  most: number,
): Markup {
  const totals = frames.map(({ total }) => total).sort((a, b) => b - a);
  const least = totals[most - 1] ?? 0;
  const shown = placed(frames).filter(({ total }) => total >= least);
  const height = ROW * (1 + Math.max(0, ...shown.map(({ depth }) => depth)));
  const percent = (samples: number): string => `${(100 * samples / inCalls).toFixed(2)}%`;
  return markup`<svg role="img" aria-label="${label}" class="flame" style="height:${height}px">${
    shown.map((frame) => {
      const { depth, kind, total, from, name } = frame;
      const text = total / inCalls < NAMED_SHARE
        ? null
        : markup`<text x="3" y="9">${name === "" ? functionName(frame) : name}</text>`;
      return markup`<svg x="${percent(from)}" y="${depth * ROW}" width="${
        percent(total)
      }" height="${BOX}" class="${kind}"><title>${
        tooltip(profile, frame, inCalls)
      }</title><rect/>${text}</svg>`;
    })
  }</svg>`;
}

/** Frames with the sample that each begins at: behind what its caller called before. */
function placed(frames: readonly Frame[]): (Frame & { readonly from: number })[] {
  const ends: number[] = [];
  return frames.map((frame) => {
    const from = ends[frame.depth] ?? 0;
    ends[frame.depth] = from + frame.total;
    ends[frame.depth + 1] = from;
    return { ...frame, from };
  });
}

function tooltip(profile: Profile, frame: Frame, inCalls: number): string {
  const us = usPerResponse(profile, frame.total);
  return `${functionName(frame)}: self ${share(frame.self / inCalls)}, total ${
    share(frame.total / inCalls)
  }${us === null ? "" : `, ${microseconds(us)} of each response`}`;
}

function tableOf(profile: Profile, { inCalls }: FoldedStacks): Table {
  const headings = ["Function", "Where", "Self", "Total", "Self of each response"];
  return {
    columns: headings.map((heading, i) => ({ heading, isNumber: i > 1, dropOrder: 0 })),
    rows: hotFunctions(profile).slice(0, HOTTEST).map(({ name, place, self, total }) => ({
      cells: [
        functionName({ name, place: null }),
        place ?? "",
        share(self / inCalls),
        share(total / inCalls),
        microseconds(usPerResponse(profile, self)),
      ],
    })),
  };
}
