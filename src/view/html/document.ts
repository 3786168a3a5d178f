import { Markup, markup } from "./markup.ts";
import { asset, palette } from "./style.ts";

/** Content security policy: the page loads nothing, even if a name in the report contains markup. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** The parts of a page. */
export interface PageParts {
  readonly title: string;
  /** Summary in a sentence or two, for link previews. */
  readonly description: string;
  /** Number of servers that need a colour. */
  readonly servers: number;
  /** Content below the title. */
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: string;
}

/** Returns a self-contained HTML page. */
export async function documentOf(
  { title, description, servers, header, main, footer }: PageParts,
): Promise<string> {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<title>${title} – Stampede</title>
<meta name="description" content="${shortened(description)}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Stampede">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${shortened(description)}">
<link rel="icon" href="data:,">
<style>
${new Markup(await asset("colors.css"))}
${new Markup(await asset("page.css"))}
${new Markup(await asset("dots.css"))}
${new Markup(await asset("flame.css"))}
${palette(servers)}
</style>
</head>
<body>
<a class="skip" href="#main">To the figures</a>
<header>
<p class="brand">Stampede</p>
<h1>${title}</h1>
${header}
</header>
<main id="main">
${main}
</main>
<footer><p>${footer}</p></footer>
<script>
${new Markup(await asset("page.js"))}
</script>
</body>
</html>
`;
  return page.text;
}

/** Maximum length of a description, in characters, as link previews show it. */
const LONGEST_DESCRIPTION = 300;

/** Cuts a description after the last whole word that fits. */
function shortened(text: string): string {
  if (text.length <= LONGEST_DESCRIPTION) return text;
  return `${text.slice(0, LONGEST_DESCRIPTION).replace(/\s+\S*$/, "")} …`;
}
