/** Draws the overview of a report as one SVG picture, for a README. */
import { UsageError } from "../../model/errors.ts";
import type { Report } from "../../model/report.ts";
import { duration, multiple, rate } from "../format.ts";
import { changesVerdict } from "../changes_verdict.ts";
import { wrap } from "../table.ts";
import { legend, type WorkloadCard, workloadCardsOf } from "./overview.ts";
import { CHANGES_LEGEND, plotOfChanges } from "./changes_plot.ts";
import { type DotPlot, dotPlot, type DotRow, heightOf, WIDTH } from "./dots.ts";
import { colorOf } from "./item.ts";
import { asset, Markup, markup, palette } from "./markup.ts";
import { titleOf } from "./document.ts";

const MARGIN = 24;
const GAP = 32;
const COLUMNS = 2;
const LINE = 20;
const HEADER = 68;
const TITLE_LINE = 26;
/** Number of characters of a title that fit above two plots. */
const TITLE_CHARACTERS = 74;
/** Number of characters of a title that fit above one plot. */
const PLOT_TITLE_CHARACTERS = 34;
/** Number of characters of a sentence that fit into the width of one plot. */
const PLOT_CHARACTERS = 55;
/** Number of characters of a sentence that fit into the width of the picture. */
const CHARACTERS = 118;

/**
 * Returns the overview as a self-contained SVG. Its colours are light or dark, as the reader's system
 * is.
 *
 * @throws {UsageError} if the report has nothing to draw
 */
export async function svg(report: Report): Promise<string> {
  const servers = report.experiment.variants.map(({ id }) => id);
  const cards = cardsOf(report, servers);
  if (cards.every(({ plot }) => plot.rows.length === 0)) {
    throw new UsageError(
      "Cannot draw a picture: the report has neither relative CPU times nor several servers",
    );
  }
  const titles = wrap(
    titleOf(report),
    cards.length > 1 ? TITLE_CHARACTERS : PLOT_TITLE_CHARACTERS,
    "",
  );
  const top = HEADER + (titles.length - 1) * TITLE_LINE;
  const width = 2 * MARGIN + (cards.length > 1 ? COLUMNS * WIDTH + GAP : WIDTH);
  const rows = Array.from(
    { length: Math.ceil(cards.length / COLUMNS) },
    (_row, i) => cards.slice(i * COLUMNS, (i + 1) * COLUMNS),
  );
  let y = top;
  const drawn = rows.flatMap((row) => {
    const texts = row.map(({ sentence }) => wrap(sentence, PLOT_CHARACTERS, ""));
    const lines = Math.max(...texts.map(({ length }) => length));
    const own = row.map((card, i) =>
      cardOf(card, texts[i] ?? [], MARGIN + i * (WIDTH + GAP), y, lines)
    );
    y += (lines + 1.5) * LINE + Math.max(...row.map(({ plot }) => heightOf(plot))) + GAP / 2;
    return own;
  });
  const notes = wrap(noteOf(report), cards.length > 1 ? CHARACTERS : PLOT_CHARACTERS, "");
  const height = y + notes.length * LINE + MARGIN / 2;
  const picture =
    markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${
      titleOf(report)
    }">
<style>
${new Markup(await asset("colors.css"))}
${new Markup(await asset("picture.css"))}
${new Markup(await asset("dots.css"))}
${palette(servers.length)}
</style>
<rect width="${width}" height="${height}" rx="12" class="card"/>
${
      titles.map((line, i) =>
        markup`<text x="${MARGIN}" y="${34 + i * TITLE_LINE}" class="title">${line}</text>`
      )
    }
<text x="${MARGIN}" y="${top - 12}" class="faint">${factsOf(report)}</text>
${drawn}
${
      notes.map((note, i) =>
        markup`<text x="${MARGIN}" y="${y + i * LINE}" class="faint">${note}</text>`
      )
    }
</svg>
`;
  return picture.text;
}

/**
 * Returns the plots: one of the changes, one of the servers for each scenario, or one of the scenarios
 * of the only server.
 */
function cardsOf(report: Report, servers: readonly string[]): WorkloadCard[] {
  const { changes } = report;
  if (changes !== null) {
    const plot = plotOfChanges(changes, report);
    const sentence = changesVerdict(changes);
    return [{ scenario: "", title: "Changes", sentence, plot }];
  }
  return servers.length === 1 ? scenariosOf(report) : workloadCardsOf(report, servers);
}

function cardOf(
  { title, plot }: WorkloadCard,
  texts: readonly string[],
  x: number,
  y: number,
  lines: number,
): Markup {
  const below = y + (lines + 1) * LINE;
  return markup`<text x="${x}" y="${y + 14}" class="heading">${title}</text>${
    texts.map((text, i) => markup`<text x="${x}" y="${y + 14 + (i + 1) * LINE}">${text}</text>`)
  }<svg x="${x}" y="${below}" width="${WIDTH}" height="${heightOf(plot)}">${dotPlot(plot)}</svg>
`;
}

/** Returns a sentence that names the servers without figures. */
function without({ experiment: { variants }, results }: Report): string[] {
  const gone = variants.map(({ id }) => id)
    .filter((id) => !results.some(({ variant, status }) => variant === id && status === "ok"));
  return gone.length === 0 ? [] : [`Without figures: ${gone.join(", ")}.`];
}

/** Returns a plot of the scenarios of one server, by relative CPU time. */
function scenariosOf({ results, experiment: { reference } }: Report): WorkloadCard[] {
  const rows = results.flatMap((result): DotRow[] => {
    const { requestsPerS, relativeCpu, scenario, variant, isLowerBound } = result;
    return requestsPerS === null || relativeCpu === null ? [] : [{
      name: scenario,
      value: relativeCpu.ratio,
      confidenceInterval: relativeCpu.confidenceInterval,
      color: colorOf(0),
      text: `${multiple(relativeCpu.ratio)}, ${isLowerBound ? "≥ " : ""}${
        rate(requestsPerS.median)
      }/s`,
      server: variant,
    }];
  });
  const plot: DotPlot = { rows, base: 1, label: "Relative CPU time at each scenario" };
  return rows.length === 0 ? [] : [{
    scenario: "",
    title: "Relative CPU time per response",
    sentence: `${
      reference?.label ?? "The reference"
    } is 1; less is better. Second figure: responses per second.`,
    plot,
  }];
}

function noteOf(report: Report): string {
  const { changes, results, experiment: { variants } } = report;
  if (changes !== null) return CHANGES_LEGEND;
  if (variants.length > 1) return [legend(report), ...without(report)].join(" ");
  const uncounted = results.filter(({ relativeCpu }) => relativeCpu === null).map(({ scenario }) =>
    scenario
  );
  return uncounted.length === 0
    ? "Lines: 95 % confidence intervals."
    : `Lines: 95 % confidence intervals. No relative CPU time: ${uncounted.join(", ")}.`;
}

function factsOf({ createdAt, host, tookS }: Report): string {
  return `${createdAt.slice(0, 10)}, ${host.cores} x ${host.cpuModel}, ${
    duration(tookS)
  }, by Stampede`;
}
