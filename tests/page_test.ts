import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Result } from "../src/model/derived.ts";
import type { Frame } from "../src/model/profile.ts";
import type { TrialResult } from "../src/model/raw.ts";
import type { Report } from "../src/model/report.ts";
import { compareReports } from "../src/analysis/derive_changes.ts";
import { comparePage, html } from "../src/view/html/page.ts";
import { svg } from "../src/view/html/picture.ts";
import { DUEL, HOSTILE, REPORT } from "../src/view/report_testdata.ts";
import { VERSUS } from "../src/view/testdata/versus_report.ts";
import { browserTest, findingsOf, show, showPage, visible } from "./browser.ts";

/** Makes a report with a number of servers, scenarios and rounds. */
function reportOf(servers: number, scenarios: number, rounds: number): Report {
  const variants = Array.from({ length: servers }, (_value, i) => `server-${i}`);
  const workloads = Array.from({ length: scenarios }, (_value, i) => `task-${i}`);
  const result = DUEL.results[0] as Result;
  const variant = DUEL.experiment.variants[0] as Report["experiment"]["variants"][number];
  const trialResult = DUEL.trialResults[0] as TrialResult;
  const pair = DUEL.comparisons[0] as Report["comparisons"][number];
  const server = DUEL.servers[0] as Report["servers"][number];
  const of = <T>(make: (variant: string, scenario: string, i: number, j: number) => T): T[] =>
    workloads.flatMap((scenario, j) => variants.map((variant, i) => make(variant, scenario, i, j)));
  const scale = (estimate: Result["requestsPerS"], by: number): Result["requestsPerS"] =>
    estimate && {
      ...estimate,
      median: estimate.median * by,
      confidenceInterval: estimate.confidenceInterval && {
        ...estimate.confidenceInterval,
        low: estimate.confidenceInterval.low * by,
        high: estimate.confidenceInterval.high * by,
      },
    };
  return {
    ...DUEL,
    experiment: {
      ...DUEL.experiment,
      variants: variants.map((id) => ({ ...variant, id, label: `Name of ${id}`, server: id })),
      scenarios: workloads,
    },
    servers: variants.map((id, i) => ({
      ...server,
      id,
      name: `Name of ${id}`,
      language: i === 0 ? "Go" : "Perl",
    })),
    results: of((variant, scenario, i, j) => ({
      ...result,
      variant,
      scenario,
      isLowerBound: i % 3 === 0,
      requestsPerS: scale(result.requestsPerS, 1 + ((i * 7 + j) % servers)),
    })),
    trialResults: Array.from(
      { length: rounds },
      (_value, round) =>
        of((variant, scenario): TrialResult => ({
          ...trialResult,
          trial: { ...trialResult.trial, variant, scenario, round: round + 1 },
        })),
    ).flat(),
    comparisons: workloads.flatMap((scenario) =>
      variants.flatMap((a, i) => variants.slice(i + 1).map((b) => ({ ...pair, scenario, a, b })))
    ),
  };
}

const FEW = reportOf(3, 2, 6);
/** Makes a report with hostile names. */
const evil = (report: Report): Report => ({
  ...report,
  servers: report.servers.map((one) => ({
    ...one,
    name: HOSTILE,
    approach: "tuned" as const,
    why: "<img src=x onerror=alert(1)>",
  })),
  scenarios: REPORT.scenarios.map((one, i) => ({
    ...one,
    id: `task-${i}`,
    title: "<script>x</script>",
  })),
});
const EVIL = evil(FEW);
/** Small reports with every part of a page, because axe needs long for each row and box. */
const SMALL = reportOf(2, 2, 3);
const SMALL_EVIL = evil(SMALL);

/** Returns the first column of the first visible table. */
const names = (page: Page, section: string): Promise<string[]> =>
  page.locator(`${section} table[data-sorts] >> nth=0`).locator("tbody tr:visible th")
    .allInnerTexts();

browserTest("the page shows every scenario and chart, and asks for nothing", async () => {
  await show([EVIL], async ({ page }) => {
    strictEqual(await page.title(), "3 HTTP servers at 2 scenarios – Stampede");
    strictEqual(await visible(page, "section.scenario"), 2);
    // Req/Sec, CPU, processors, latency, rounds
    strictEqual(await visible(page, "section.scenario svg[role=img]"), 10);
    strictEqual(await page.locator("figure details table").count(), 6);
    for (const chart of await page.locator("section.scenario svg").all()) {
      for (const { id: server } of FEW.experiment.variants) {
        const groups = await chart.locator(`g[data-server=${server}] :is(path, circle)`).count();
        ok(groups > 0, `${await chart.getAttribute("aria-label")} has nothing of ${server}`);
      }
    }
    const text = await page.innerText("body");
    ok(text.includes("<script>x</script>") && text.includes("<img src=x onerror=alert(1)>"));
    // A bar with its error bar
    const bar = page.locator("#scenario-task-0 svg >> nth=0").locator("g[data-server=server-1]");
    strictEqual(await bar.locator("path, rect, polyline").count(), 2);
  });
});

browserTest("without scripts everything is there", async () => {
  await show([FEW], async ({ page }) => {
    strictEqual(await visible(page, "section.scenario"), 2);
    strictEqual(await visible(page, "svg[role=img]"), 12);
    strictEqual(await visible(page, ".filter"), 0, "what cannot work is not shown");
    await page.click("nav a >> nth=1");
    ok(page.url().endsWith("#scenario-task-1"));
  }, { javaScriptEnabled: false });
});

browserTest("headings sort a table down, up, and back, by keyboard too", async () => {
  await show([FEW], async ({ page }, context, address) => {
    const before = await names(page, "#servers");
    const heading = page.locator("#servers th[scope=col]", { hasText: "task-1" });
    const rate = async (): Promise<number[]> => {
      const texts = await page.locator("#servers tbody tr td:last-child").allInnerTexts();
      return texts.map((text) => Number(text.replaceAll(/[^\d.]/g, "")));
    };
    await heading.getByRole("button").click();
    strictEqual(await heading.getAttribute("aria-sort"), "descending");
    const down = await rate();
    deepStrictEqual(down, down.toSorted((a, b) => b - a));
    const sorted = new URL(page.url()).hash;
    const other = await context.newPage();
    await other.goto(address + sorted);
    deepStrictEqual(await names(other, "#servers"), await names(page, "#servers"), sorted);
    const [result, button] = await Promise.all(
      [heading, heading.getByRole("button")].map((one) => one.boundingBox()),
    );
    ok(result && button && button.width > result.width - 30, "the whole heading sorts");
    await heading.getByRole("button").press("Enter");
    strictEqual(await heading.getAttribute("aria-sort"), "ascending");
    deepStrictEqual(await rate(), down.toReversed());
    await heading.getByRole("button").press("Space");
    deepStrictEqual(await names(page, "#servers"), before);
    ok(!page.url().includes("sort"), page.url());
  });
});

browserTest("charts of several servers say whose colours they are, and where p50 is", async () => {
  await show([FEW], async ({ page }) => {
    const charts = page.locator("#scenario-task-0 figure", { hasText: /Latency|Rate per round/ });
    strictEqual(await charts.count(), 2);
    for (const chart of await charts.all()) {
      deepStrictEqual(await chart.locator(".key").allInnerTexts(), [
        "server-0",
        "server-1",
        "server-2",
      ]);
    }
    const ticks = await charts.first().locator("svg g[data-axis] text").allTextContents();
    ok(["p50", "p90", "p99", "p99.9"].every((tick) => ticks.includes(tick)), ticks.join());
  });
});

browserTest(
  "a history leaves out what says nothing of servers, and runs without figures",
  async () => {
    const later = { createdAt: "2099-01-01T00:00:00.000Z" };
    const noise = { ...FEW, ...later, experiment: { ...FEW.experiment, kind: "noise" as const } };
    const failed = {
      ...REPORT,
      ...later,
      results: REPORT.results.map((result) => ({ ...result, status: "failed" as const })),
    };
    await show(
      [FEW, { ...FEW, createdAt: "2026-01-02T00:00:00.000Z" }, noise, failed],
      async ({ page }) => {
        strictEqual(await page.title(), "3 HTTP servers at 2 scenarios – Stampede");
        match(await page.innerText("#history h2"), /Over 2 runs/);
      },
    );
  },
);

browserTest("no server at all leaves no heading of a scenario", async () => {
  await show([FEW], async ({ page }) => {
    for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
    strictEqual(await visible(page, "section.scenario"), 0);
  });
});

browserTest("servers can be left out, everywhere, and the address says so", async () => {
  await show([FEW], async ({ page }, context, address) => {
    const bars = page.locator("#scenario-task-0 svg[data-row-height] >> nth=0");
    const height = async (): Promise<number> =>
      Number((await bars.getAttribute("viewBox"))?.split(" ")[3]);
    const whole = await height();
    await page.getByRole("checkbox", { name: "server-1" }).uncheck();
    strictEqual(await visible(page, "tr[data-server=server-1]"), 0);
    strictEqual(await visible(page, "g[data-server=server-1] path"), 0);
    strictEqual(await height(), whole - 24);
    const box = await bars.boundingBox();
    const groups = await bars.locator("g[data-server]:visible").all();
    strictEqual(groups.length, 2);
    let above = box?.y ?? NaN;
    for (const group of groups) {
      const own = await group.boundingBox();
      ok(own && box && own.y >= above - 1 && own.y + own.height <= box.y + box.height + 1);
      above = own.y + own.height;
      const [name] = await group.locator("text").allTextContents();
      strictEqual(name, await group.getAttribute("data-server"), "each bar with its own name");
    }
    ok(page.url().endsWith("#servers=server-0,server-2"), page.url());
    const other = await context.newPage();
    await other.goto(`${address}#servers=server-0,server-2&only=task-1`);
    strictEqual(await visible(other, "tr[data-server=server-1]"), 0);
    strictEqual(await visible(other, "section.scenario"), 1);
    await page.getByRole("button", { name: "Perl" }).click();
    strictEqual(await visible(page, "tr[data-server=server-0]"), 0);
    ok(await visible(page, "tr[data-server=server-1]") > 0);
    await page.getByRole("button", { name: "all", exact: true }).click();
    ok(await visible(page, "tr[data-server=server-1]") > 0);
    strictEqual(await height(), whole);
  });
});

browserTest(
  "the first screen says who is best at each scenario, and shows all of them",
  async () => {
    await show([DUEL], async ({ page }) => {
      const first = page.locator("#overview .card");
      strictEqual(
        await first.locator("p").first().innerText(),
        "deno needs least CPU: node needs 1.2 x (1.2 to 1.3) as much.",
      );
      deepStrictEqual(await first.locator("g[data-server] text.name").allTextContents(), [
        "1. deno",
        "2. node",
      ]);
      const box = await first.boundingBox();
      ok(box && box.y + box.height < 900, "without scrolling");
    }, { viewport: { width: 1280, height: 900 } });
  },
);

browserTest("one scenario can be looked at alone, and the way back works", async () => {
  await show([FEW], async ({ page }) => {
    await page.getByRole("link", { name: "task-1" }).click();
    strictEqual(await visible(page, "section.scenario"), 1);
    strictEqual(await page.locator("nav a[aria-current]").innerText(), "task-1");
    await page.goBack();
    strictEqual(await visible(page, "section.scenario"), 2);
    await page.getByRole("link", { name: "task-0" }).press("Enter");
    strictEqual(await visible(page, "#scenario-task-0"), 1);
    await page.getByRole("link", { name: "everything" }).click();
    strictEqual(await visible(page, "section.scenario"), 2);
    strictEqual(await page.locator("nav a[aria-current]").innerText(), "everything");
  });
});

browserTest("on paper everything is there, and nothing to click", async () => {
  await show([FEW], async ({ page }) => {
    await page.getByRole("link", { name: "task-1" }).click();
    await page.emulateMedia({ media: "print" });
    strictEqual(await visible(page, "section.scenario"), 2);
    strictEqual(await visible(page, "nav, .filter"), 0);
    ok((await page.pdf()).length > 10_000);
  });
});

// Colours and width are independent
for (const [colorScheme, width] of [["light", 1280], ["dark", 390]] as const) {
  browserTest(
    `axe finds nothing, and nothing sticks out: ${colorScheme}, ${width} px`,
    async () => {
      const older = { ...SMALL, id: "1", createdAt: "2025-01-01T00:00:00.000Z" };
      await show([older, SMALL_EVIL], async ({ page }) => {
        deepStrictEqual(await findingsOf(page), []);
      }, { colorScheme, viewport: { width, height: 844 } });
    },
  );
}

browserTest("several reports show how each scenario went over time", async () => {
  const older = { ...FEW, id: "1", createdAt: "2025-01-01T00:00:00.000Z" };
  await show([FEW, older], async ({ page }) => {
    strictEqual(await visible(page, "#history svg[role=img]"), 4);
    ok((await page.innerText("#history")).includes("Over 2 runs"));
  });
});

browserTest("axe finds nothing in a page of two reports that are compared", async () => {
  const [a, b] = [SMALL, SMALL_EVIL];
  const changes = compareReports(a, b, { noise: [], noiseSource: null, force: true });
  const side = { name: "<b>a.json", report: b };
  const page = await comparePage(side, { ...side, report: a }, changes, { gate: [], notes: [] });
  await showPage(page, async ({ page }) => {
    deepStrictEqual(await findingsOf(page), []);
    ok((await page.innerText("#overview")).includes("Changes"));
  }, { viewport: { width: 390, height: 844 } });
});

browserTest("pictures of every kind of report are SVG that a browser takes", async () => {
  await show([DUEL], async ({ noise }, context) => {
    const variants = VERSUS.experiment.variants.map((variant) => ({
      ...variant,
      label: "a long name ".repeat(8),
    }));
    const long = { ...VERSUS, experiment: { ...VERSUS.experiment, variants } };
    for (const report of [DUEL, FEW, VERSUS, long]) {
      const file = await Deno.makeTempFile({ suffix: ".svg" });
      await Deno.writeTextFile(file, await svg(report));
      const page = await context.newPage();
      page.on("console", (message) => noise.push(message.text()));
      await page.goto(`file://${file}`);
      strictEqual(await page.locator("parsererror").count(), 0);
      const widths = await page.locator("text.title, svg:root").evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().right)
      );
      ok(widths.length > 1 && Math.max(...widths) === widths[0], `${widths}: a title sticks out`);
      ok(await page.locator("circle").count() > 0);
      await Deno.remove(file);
    }
  });
});

Deno.test("the page of 20 servers at 8 scenarios is under 1 MB", async () => {
  const page = await html([reportOf(20, 8, 6)]);
  ok(page.length < 1e6, String(page.length));
  ok(page.length > 3e5, "it holds something");
});

/** Adds a profile with a number of functions to every result of a report. */
function profiled(report: Report, functions = 150): Report {
  const frames = Array.from({ length: functions }, (_frame, i): Frame => ({
    depth: i % 15,
    name: i % 5 === 0 ? `${HOSTILE} ${i}` : "aFunctionWithALongName",
    place: i % 7 === 0 ? null : "routes/some_module.ts:123",
    kind: (["own", "package", "runtime", "native"] as const)[i % 4] ?? "own",
    self: 1,
    total: 150 - i,
  }));
  const foldedStacks = { durationS: 3, samples: 4000, inCalls: 2000, frames };
  const seen = {
    threads: 1,
    foldedStacks,
    busiestThread: 0.9,
    responses: 1e5,
    files: [],
    reason: null,
  };
  const profiles = report.results.map(({ variant, scenario, connections, perS }) => ({
    variant,
    scenario,
    connections,
    perS,
    ...seen,
  }));
  return { ...report, profiles };
}

browserTest(
  "flame graphs are there without scripts, in both colours, for axe, and can be left out",
  async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await show([profiled(DUEL, 45)], async ({ page, noise }) => {
        strictEqual(await page.locator("svg.flame").count(), 2);
        const [box] = await page.locator("svg.flame > svg").all();
        match(await box?.locator("title").textContent() ?? "", /: self 0\.0\d+ %, total 7\.5 %, /);
        deepStrictEqual(await findingsOf(page, ".flames"), []);
        deepStrictEqual(noise, []);
        if (colorScheme === "light") return;
        await page.getByLabel("node").first().uncheck();
        strictEqual(await page.locator("figure[data-server=node]").isVisible(), false);
        strictEqual(await page.locator("figure[data-server=deno]").isVisible(), true);
      }, { colorScheme });
    }
    await show([profiled(DUEL)], async ({ page }) => {
      strictEqual(await page.locator("svg.flame").first().isVisible(), true);
    }, { javaScriptEnabled: false });
  },
);

browserTest(
  "a box of a flame graph lies below its caller, and no text leaves its box",
  async () => {
    await show([profiled(DUEL)], async ({ page }) => {
      const [outer, inner] = await page.locator("svg.flame").first().locator(":scope > svg").all();
      const [above, below] = [await outer?.boundingBox(), await inner?.boundingBox()];
      ok(above && above.height < 18, `a box is ${above?.height} high`);
      ok(above && below && below.y > above.y && below.x >= above.x && below.width <= above.width);
    }, { viewport: { width: 390, height: 800 } });
  },
);

Deno.test("the page of ten servers at 8 scenarios is under 1 MB with profiles of all of them", async () => {
  const page = await html([profiled(reportOf(10, 8, 6))]);
  ok(page.length < 1e6, `${page.length} bytes`);
  ok(page.split('class="flame"').length > 80);
});
