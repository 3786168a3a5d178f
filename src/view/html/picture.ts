/** Draws the overview of a report as one SVG picture, for a README. */
import { UsageError } from "../../model/errors.ts";
import type { Report } from "../../model/report.ts";
import { duration } from "../format.ts";
import { wrap } from "../table.ts";
import { titleOf } from "../titles.ts";
import { dotPlot, heightOf } from "./dots.ts";
import { asset, type Markup, markup, palette, WIDTH } from "./markup.ts";
import { cardsOf, legend } from "./overview.ts";

/** Lengths in units of the picture. Headers and lines are heights. */
const [MARGIN, GAP, LINE, HEADER, TITLE_LINE] = [24, 32, 20, 68, 26];
const COLUMNS = 2;
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
    const plotAt = y + (Math.max(...row.map(({ lines }) => lines.length)) + 1) * LINE;
    for (const [i, { title, plot, lines }] of row.entries()) {
      const x = MARGIN + i * (WIDTH + GAP);
      const texts = lines.map((line, i) =>
        markup`<text x="${x}" y="${y + 14 + (i + 1) * LINE}">${line}</text>`
      );
      drawn.push(
        markup`<text x="${x}" y="${
          y + 14
        }" class="heading">${title}</text>${texts}<svg x="${x}" y="${plotAt}" width="${WIDTH}" height="${
          heightOf(plot)
        }">${dotPlot(plot)}</svg>
`,
      );
    }
    y = plotAt + LINE / 2 + Math.max(...row.map(({ plot }) => heightOf(plot))) + GAP / 2;
  }
  const height = y + notes.length * LINE + MARGIN / 2;
  const { createdAt, host, tookS } = report;
  const machine = `${host.cores} x ${host.cpuModel}`;
  const facts = `${createdAt.slice(0, 10)}, ${machine}, ${duration(tookS)}, by Stampede`;
  const write = (text: string, y: number, kind: string): Markup =>
    markup`<text x="${MARGIN}" y="${y}" class="${kind}">${text}</text>`;
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
${titles.map((line, i) => write(line, 34 + i * TITLE_LINE, "title"))}
${write(facts, top - 12, "faint")}
${drawn}
${notes.map((line, i) => write(line, y + i * LINE, "faint"))}
</svg>
`.text;
}

function noteOf(report: Report): string {
  const { changes, results, experiment: { variants } } = report;
  if (changes !== null) return legend(report);
  const isAlone = variants.length === 1;
  const text = isAlone ? "Lines: 95 % confidence intervals." : legend(report);
  const ok = results.filter(({ status }) => status === "ok").map(({ variant }) => variant);
  const gone = isAlone
    ? results.filter(({ relativeCpu }) => relativeCpu === null).map(({ scenario }) => scenario)
    : variants.map(({ id }) => id).filter((id) => !ok.includes(id));
  if (gone.length === 0) return text;
  return `${text} ${isAlone ? "No relative CPU time" : "Without figures"}: ${gone.join(", ")}.`;
}
