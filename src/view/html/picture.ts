/** Draws the overview of a report as one SVG picture, for a README. */
import { UsageError } from "../../model/errors.ts";
import type { Report } from "../../model/report.ts";
import { duration } from "../format.ts";
import { wrap } from "../table.ts";
import { titleOf } from "../titles.ts";
import { dotPlot, heightOf } from "./dots.ts";
import { asset, type Markup, markup, palette, WIDTH } from "./markup.ts";
import { cardsOf, legend } from "./overview.ts";

const MARGIN = 24;
const GAP = 32;
const COLUMNS = 2;
const LINE = 20;
const HEADER = 68;
const TITLE_LINE = 26;
/** Number of characters of a sentence that fit into the width of one plot. */
const PLOT_CHARACTERS = 55;

/** Returns the overview as SVG, light or dark; throws a {@linkcode UsageError} if there is none. */
export async function svg(report: Report): Promise<string> {
  const servers = report.experiment.variants.map(({ id }) => id);
  const cards = cardsOf(report, servers);
  if (cards.every(({ plot }) => plot.rows.length === 0)) {
    throw new UsageError(
      "Cannot draw a picture: the report has neither relative CPU times nor several servers",
    );
  }
  const isWide = cards.length > 1;
  // Numbers of characters that fit into the width of the picture
  const titles = wrap(titleOf(report), isWide ? 74 : 34, "");
  const notes = wrap(noteOf(report), isWide ? 118 : PLOT_CHARACTERS, "");
  const top = HEADER + (titles.length - 1) * TITLE_LINE;
  const width = 2 * MARGIN + (isWide ? COLUMNS * WIDTH + GAP : WIDTH);
  const drawn: Markup[] = [];
  let y = top;
  for (let first = 0; first < cards.length; first += COLUMNS) {
    const row = cards.slice(first, first + COLUMNS)
      .map((card) => ({ ...card, lines: wrap(card.sentence, PLOT_CHARACTERS, "") }));
    const most = Math.max(...row.map(({ lines }) => lines.length));
    for (const [i, { title, plot, lines }] of row.entries()) {
      const x = MARGIN + i * (WIDTH + GAP);
      drawn.push(
        markup`<text x="${x}" y="${y + 14}" class="heading">${title}</text>${
          lines.map((line, i) =>
            markup`<text x="${x}" y="${y + 14 + (i + 1) * LINE}">${line}</text>`
          )
        }<svg x="${x}" y="${y + (most + 1) * LINE}" width="${WIDTH}" height="${heightOf(plot)}">${
          dotPlot(plot)
        }</svg>
`,
      );
    }
    y += (most + 1.5) * LINE + Math.max(...row.map(({ plot }) => heightOf(plot))) + GAP / 2;
  }
  const height = y + notes.length * LINE + MARGIN / 2;
  const { createdAt, host, tookS } = report;
  const facts = `${createdAt.slice(0, 10)}, ${host.cores} x ${host.cpuModel}, ${
    duration(tookS)
  }, by Stampede`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${
    titleOf(report)
  }">
<style>
${await asset("colors.css")}
${await asset("picture.css")}
${await asset("dots.css")}
${palette(servers.length)}
</style>
<rect width="${width}" height="${height}" rx="12" class="card"/>
${
    titles.map((line, i) =>
      markup`<text x="${MARGIN}" y="${34 + i * TITLE_LINE}" class="title">${line}</text>`
    )
  }
<text x="${MARGIN}" y="${top - 12}" class="faint">${facts}</text>
${drawn}
${
    notes.map((note, i) =>
      markup`<text x="${MARGIN}" y="${y + i * LINE}" class="faint">${note}</text>`
    )
  }
</svg>
`.text;
}

function noteOf(report: Report): string {
  const { changes, results, experiment: { variants } } = report;
  if (changes !== null) return legend(report);
  const [text, heading, gone] = variants.length > 1
    ? [
      legend(report),
      "Without figures",
      variants.map(({ id }) => id).filter((id) =>
        !results.some(({ variant, status }) => variant === id && status === "ok")
      ),
    ]
    : [
      "Lines: 95 % confidence intervals.",
      "No relative CPU time",
      results.filter(({ relativeCpu }) => relativeCpu === null).map(({ scenario }) => scenario),
    ];
  return gone.length === 0 ? text : `${text} ${heading}: ${gone.join(", ")}.`;
}
