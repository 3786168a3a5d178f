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

/** Possible paths of a browser. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

async function findBrowser(): Promise<string | null> {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  for (const path of folders.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`))) {
    if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
  }
  return null;
}

const executablePath = await findBrowser();
// deno-lint-ignore no-console -- a skipped test has to be seen
if (executablePath === null) console.log("No Chromium here: the tests of the page are skipped");

/** Messages and requests of a page. */
export interface Shown {
  readonly page: Page;
  readonly noise: string[];
}

/** One for all tests of a file: to start takes longer than most of them. */
let browser: Promise<Browser> | null = null;

Deno.test.afterAll(async () => await (await browser)?.close());

/** The test of a shown page. */
type Test = (shown: Shown, context: BrowserContext, address: string) => Promise<void>;

/** Shows reports in a browser, and records the page's messages and requests. */
export async function show(
  reports: readonly Report[],
  test: Test,
  options: BrowserContextOptions = {},
): Promise<void> {
  await showPage(await html(reports), test, options);
}

/** Shows any page in the same way. */
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

/** A test that needs a browser. */
export function browserTest(name: string, fn: () => Promise<void>): void {
  Deno.test({
    name,
    fn,
    ignore: executablePath === null,
    sanitizeOps: false,
    sanitizeResources: false,
  });
}

/** Returns the accessibility problems of a page with all its details open, and how far it overflows. */
export async function findingsOf(page: Page): Promise<unknown[]> {
  for (const summary of await page.locator("summary").all()) await summary.click();
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate("axe.run()") as axe.AxeResults;
  const overflow = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return [
    ...violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]),
    ...(overflow === 0 ? [] : [`it is ${overflow} px too wide`]),
  ];
}

/** How many elements a person can see. */
export const visible = (page: Page, selector: string): Promise<number> =>
  page.locator(`${selector} >> visible=true`).count();
