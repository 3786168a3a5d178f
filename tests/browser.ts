import axe from "axe-core";
import { deepStrictEqual } from "node:assert/strict";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import type { Report } from "../src/model/report.ts";
import { html } from "../src/view/html/page.ts";

/** Possible names of the browser. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

async function findBrowser(): Promise<string | null> {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  for (const path of folders.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`))) {
    if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
  }
  return null;
}

const executablePath = await findBrowser();
// deno-lint-ignore no-console -- a skipped test must be visible
if (executablePath === null) console.log("No Chromium here: the tests of the page are skipped");

/** Activity of a page while it was displayed. */
export interface Shown {
  readonly page: Page;
  readonly noise: string[];
}

/** One browser for all tests of a file, because starting it takes longer than most of them. */
let browser: Promise<Browser> | null = null;

Deno.test.afterAll(async () => await (await browser)?.close());

/** A test of a displayed page. */
type Test = (shown: Shown, context: BrowserContext, address: string) => Promise<void>;

/** Shows reports in a browser and records errors and requests of the page. */
export async function show(
  reports: readonly Report[],
  test: Test,
  options: BrowserContextOptions = {},
): Promise<void> {
  await showPage(await html(reports), test, options);
}

/** Shows any page, likewise. */
export async function showPage(
  text: string,
  test: Test,
  options: BrowserContextOptions = {},
): Promise<void> {
  const file = await Deno.makeTempFile({ suffix: ".html" });
  await Deno.writeTextFile(file, text);
  browser ??= chromium.launch({
    executablePath: executablePath ?? "",
    args: Deno.uid() === 0 ? ["--no-sandbox"] : [],
  });
  const viewport = { width: 1280, height: 900 };
  const context = await (await browser).newContext({ viewport, ...options });
  try {
    const page = await context.newPage();
    const noise: string[] = [];
    page.on("console", (message) => noise.push(message.text()));
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("dialog", (dialog) => noise.push(dialog.message()));
    page.on("request", (request) => {
      if (request.url().split("#")[0] !== `file://${file}`) noise.push(request.url());
    });
    const address = `file://${file}`;
    await page.goto(address);
    await test({ page, noise }, context, address);
    deepStrictEqual(noise, [], "the page said or asked for something");
  } finally {
    await context.close();
    await Deno.remove(file);
  }
}

/** Defines a test that needs a browser. */
export function browserTest(name: string, fn: () => Promise<void>): void {
  Deno.test({
    name,
    fn,
    ignore: executablePath === null,
    sanitizeOps: false,
    sanitizeResources: false,
  });
}

/**
 * Returns elements that are hard to read or use, with everything opened, and how far the page overflows.
 *
 * @param selector the part of the page that axe checks
 */
export async function findingsOf(page: Page, selector = "html"): Promise<unknown[]> {
  for (const summary of await page.locator("summary").all()) await summary.click();
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(`axe.run("${selector}")`) as axe.AxeResults;
  const overflow = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return [
    ...violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]),
    ...(overflow === 0 ? [] : [`it is ${overflow} px too wide`]),
  ];
}

/** Returns the number of visible elements. */
export const visible = (page: Page, selector: string): Promise<number> =>
  page.locator(`${selector} >> visible=true`).count();
