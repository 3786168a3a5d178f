/** Draws the functions of base and head that changed: two flame graphs and their table, by scenario. */
import { fileNameOf } from "../../analysis/profiles.ts";
import type { Frame, FunctionChange, FunctionChanges } from "../../model/profile.ts";
import type { Report } from "../../model/report.ts";
import { functionName } from "../explain.ts";
import { microseconds } from "../format.ts";
import { describeFunction, provenOf, signed } from "../functions_text.ts";
import { plainTable } from "../table.ts";
import { keysOf } from "./chart.ts";
import { htmlTable, type Markup, markup } from "./markup.ts";
import { type Drawn, flameGraph } from "./scenario_section.ts";

/** Maximum number of boxes of a graph. */
const MOST_BOXES = 150;

/** Returns a section for each profiled workload of a report of `versus`; null without any. */
export function differences(report: Report): Markup | null {
  const sections = (report.changes?.functions ?? []).flatMap((functions) => {
    const section = differencesAt(report, functions);
    return section === null ? [] : [section];
  });
  return sections.length === 0 ? null : markup`${sections}`;
}

function differencesAt({ profiles, experiment }: Report, all: FunctionChanges): Markup | null {
  const { scenario, connections, changes } = all;
  const drawn = profiles.filter((one): one is Drawn =>
    one.foldedStacks !== null && one.scenario === scenario && one.connections === connections
  );
  if (drawn.length === 0) return null;
  const changeOf = ({ name, place }: Pick<Frame, "name" | "place">): FunctionChange | undefined =>
    changes.find((change) =>
      change.isProven && (change.name === name || change.was === name) &&
      fileNameOf(change.place) === fileNameOf(place)
    );
  const labels = new Map(experiment.variants.map(({ id, label }) => [id, label]));
  const graphs = drawn.toSorted((a, b) => b.variant.localeCompare(a.variant)).map((profile) => {
    const { variant } = profile;
    const svg = flameGraph(
      profile,
      `Functions of ${variant} at ${scenario}`,
      MOST_BOXES,
      (frame) => {
        const change = changeOf(frame);
        if (change === undefined) return { color: "unchanged" };
        const isMore = change.headUs > change.baseUs;
        const [color, after] = isMore ? ["more", "+ "] : ["less", "− "];
        return {
          color,
          after,
          title: `; own time in head against base: ${describeFunction(change)}`,
        };
      },
    );
    return markup`<figure><figcaption><h3>${variant}: ${
      labels.get(variant)
    }</h3></figcaption>${svg}</figure>`;
  });
  const legend = [
    { label: "+ own time grew from base to head", color: "var(--worse)" },
    { label: "− own time shrank", color: "var(--better)" },
    { label: "no proven change", color: "var(--unchanged)" },
  ];
  const sentence = provenOf(all).length === 0
    ? "No function is proven to have changed."
    : "Each box is a function, below its caller. Its width is its time with its callees, as a share of the time in JavaScript; its colour is the change of its own time.";
  const rows = changes.filter(({ kind, isProven }) => isProven || kind === "own").map((change) => ({
    cells: [
      functionName({ name: change.name, place: null }),
      change.place ?? "",
      microseconds(change.baseUs),
      microseconds(change.headUs),
      `${signed(change.headUs - change.baseUs)} µs`,
      `${signed(change.low)} to ${signed(change.high)} µs`,
      change.isProven ? "yes" : "–",
    ],
  }));
  const headings = ["Function", "Where", "Base", "Head", "Change", "Interval", "Proven"];
  return markup`<section class="differences" data-scenario="${scenario}"><h2>${scenario}: functions that changed</h2>
<p class="legend">${sentence}${keysOf(legend)}</p>
<div class="flames">${graphs}</div>
${
    htmlTable(plainTable(headings, rows, 2), {
      caption: "Own time of functions, CPU time per request",
      sorts: false,
    })
  }
</section>
`;
}
