import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { findGenerator, TOOLS } from "../generator_list.ts";
import { POST, runTool, serve } from "./testdata/run_tool.ts";
import { type Reading, readingOf, type Tool, type ToolOutput } from "./tool.ts";

/** Output of a tool: `captured` from which version, or `constructed` in which way. */
type Fixture = ToolOutput & { readonly captured?: string; readonly constructed?: string };

/** Values that each tool cannot report. */
const UNKNOWN: Readonly<Record<string, readonly string[]>> = {
  wrk: [],
  oha: ["bytes", "histogram"],
  ab: ["meanUs", "p999Us", "histogram"],
  hey: ["bytes", "p999Us", "histogram"],
  h2load: [],
  k6: ["histogram"],
};

/** The rate that a tool prints itself; k6's is computed over its start and end as well. */
const PRINTED_RATE: Readonly<Record<string, (output: ToolOutput) => number>> = {
  wrk: ({ stdout }) => Number(/^Requests\/sec: +([\d.]+)$/m.exec(stdout)?.[1]),
  oha: ({ stdout }) => JSON.parse(stdout).summary.requestsPerSec,
  ab: ({ stdout }) => Number(/^Requests per second: +([\d.]+)/m.exec(stdout)?.[1]),
  hey: ({ stdout }) => Number(/Requests\/sec:\t([\d.]+)$/m.exec(stdout)?.[1]),
  h2load: ({ stdout }) => Number(/^finished in \S+, ([\d.]+) req/m.exec(stdout)?.[1]),
  k6: ({ result }) => JSON.parse(result ?? "").metrics.iterations.values.count,
};

/** Returns the status under which a tool counts a response with status 500. */
const statusOfError = ({ id }: Tool): string => id === "wrk" || id === "ab" ? "4xx" : "500";

async function fixture({ id }: Tool, name: string): Promise<Fixture> {
  const path = new URL(`testdata/${id}_${name}.json`, import.meta.url);
  return JSON.parse(await Deno.readTextFile(path));
}

function responsesOf({ statuses }: Reading): number {
  return Object.values(statuses).reduce((total, count) => total + count, 0);
}

/** Checks that a reading is consistent. */
function demandConsistency(tool: Tool, reading: Reading): void {
  ok(reading.durationS > 0);
  for (const [status, count] of Object.entries(reading.statuses)) {
    match(status, /^\d(\d\d|xx)$/);
    ok(Number.isInteger(count) && count > 0);
  }
  strictEqual(reading.latency?.count ?? 0, responsesOf(reading));
  const { latency } = reading;
  if (latency === null) return;
  // All values in one bucket of a histogram count as its upper end.
  const order = [latency.minUs, latency.p50Us, latency.p90Us, latency.p99Us, latency.p999Us];
  const known = order.filter((value) => value !== null);
  deepStrictEqual(known, known.toSorted((a, b) => a - b), tool.id);
  ok(latency.maxUs === null || latency.maxUs * 1.001 >= (known.at(-1) ?? 0));
}

function unknownIn({ bytes, latency }: Reading): string[] {
  return Object.entries({ bytes, ...latency }).filter(([, value]) => value === null)
    .map(([name]) => name);
}

for (const tool of TOOLS) {
  const read = async (name: string): Promise<Reading> => readingOf(tool, await fixture(tool, name));

  Deno.test(`${tool.id} tells right responses, and of nothing more than it knows`, async () => {
    for (const name of ["good", "post"]) {
      const output = await fixture(tool, name);
      const reading = readingOf(tool, output);
      demandConsistency(tool, reading);
      deepStrictEqual(Object.keys(reading.statuses).length, 1);
      match(Object.keys(reading.statuses)[0] ?? "", /^2/);
      deepStrictEqual([reading.transportErrors, reading.timeouts ?? 0], [0, 0]);
      const rate = responsesOf(reading) / reading.durationS;
      const printed = PRINTED_RATE[tool.id]?.(output) ?? NaN;
      ok(Math.abs(rate / printed - 1) < 0.01, `${rate} instead of ${printed}`);
    }
    deepStrictEqual(unknownIn(await read("good")), UNKNOWN[tool.id]);
  });

  Deno.test(`${tool.id} tells other statuses apart`, async () => {
    const reading = await read("errors");
    demandConsistency(tool, reading);
    const failed = reading.statuses[statusOfError(tool)] ?? NaN;
    ok(Math.abs(responsesOf(reading) / failed - 3) < 0.05);
  });

  Deno.test(`${tool.id} does not take failures for responses`, async () => {
    const refused = await fixture(tool, "refused");
    if (["wrk", "h2load"].includes(tool.id)) {
      const message = /Connection refused$|could not connect$/;
      throws(() => readingOf(tool, refused), { name: "SyntaxError", message });
    } else {
      const { statuses, transportErrors, latency } = readingOf(tool, refused);
      deepStrictEqual([statuses, latency], [{}, null]);
      ok(transportErrors > 1000);
    }
    const late = await fixture(tool, "timeouts");
    if (["ab", "h2load"].includes(tool.id)) {
      const message = /timeout specified has exp|exit code 134/; // h2load fails on it
      throws(() => readingOf(tool, late), { name: "SyntaxError", message });
    } else {
      demandConsistency(tool, readingOf(tool, late));
      // wrk does not notice that its connections hang: only its rate shows it.
      ok(tool.id === "wrk" || (readingOf(tool, late).timeouts ?? 0) >= 8);
    }
  });

  if (tool.requests) {
    Deno.test(`${tool.id} ends with a number of requests`, async () => {
      const reading = await read("requests");
      demandConsistency(tool, reading);
      strictEqual(responsesOf(reading), 1000);
      ok(reading.durationS > 0.6 && reading.durationS < 2); // eight at a time, 5 ms each
    });
  }

  Deno.test(`${tool.id} reads nothing from what is not whole`, async () => {
    const whole = await fixture(tool, "good");
    const reading = readingOf(tool, whole);
    for (const text of ["", "garbage", "{}", "null", "[]\n"]) {
      const output = { exitCode: 0, stdout: text, stderr: text, result: text };
      throws(() => readingOf(tool, output), SyntaxError, text);
      throws(() => readingOf(tool, { ...output, result: null }), SyntaxError, text);
    }
    throws(() => readingOf(tool, { ...whole, exitCode: 1 }), SyntaxError);
    for (const part of ["stdout", "result"] as const) {
      const text = whole[part] ?? "";
      for (let length = 0; length < text.length; length += Math.ceil(text.length / 500)) {
        // Cutting text after the last value that is read has no effect.
        try {
          deepStrictEqual(readingOf(tool, { ...whole, [part]: text.slice(0, length) }), reading);
        } catch (error) {
          ok(error instanceof SyntaxError, `${part} of ${length}: ${error}`);
        }
      }
    }
  });

  const found = await findGenerator(tool.id);
  Deno.test({
    name: `${tool.id} sends what it is asked to` +
      ("version" in found ? "" : ` (ignored: it is not here: ${found.install})`),
    ignore: !("version" in found),
    fn: async () => {
      await using server = serve();
      const length = tool.requests
        ? { seconds: null, requests: 4000 }
        : { seconds: 1, requests: null };
      const load = {
        alpn: null,
        connections: 4,
        threads: 2,
        timeoutS: 5,
        request: POST,
        ...length,
      };
      const output = await runTool(tool.invoke({ ...load, url: server.origin + POST.path }));
      const reading = readingOf(tool, output);
      demandConsistency(tool, reading);
      ok(responsesOf(reading) <= server.echoes.length);
      ok(responsesOf(reading) >= server.echoes.length - load.connections);
      const all = output.stdout + output.stderr;
      ok(tool.startsWith === null || all.includes(tool.startsWith));
      for (const { method, path, headers, body } of server.echoes.slice(-1)) {
        deepStrictEqual([method, path, body], [POST.method, POST.path, POST.body]);
        for (const [name, value] of Object.entries(POST.headers)) {
          strictEqual(headers.get(name), value);
        }
        strictEqual(headers.get("accept-encoding"), null);
      }
    },
  });
}

const [wrk, oha, ab, hey, h2load, k6] = TOOLS as [Tool, Tool, Tool, Tool, Tool, Tool];

Deno.test("tools of other versions are read alike", async () => {
  for (const [tool, name] of [[oha, "older"], [hey, "older"], [ab, "trunk"]] as const) {
    deepStrictEqual(
      readingOf(tool, await fixture(tool, name)),
      readingOf(tool, await fixture(tool, "good")),
      `${tool.id} ${name}`,
    );
  }
  const summary = await fixture(k6, "other_summary");
  throws(() => readingOf(k6, summary), { name: "SyntaxError", message: "No object at metrics" });
});

Deno.test("hey is not read beyond the million that it keeps", async () => {
  const output = await fixture(hey, "million");
  throws(() => readingOf(hey, output), { message: /lists 1000000 of 1503764 requests/ });
});

Deno.test("ab is not believed that closed connections are responses", async () => {
  const output = await fixture(ab, "closed");
  throws(() => readingOf(ab, output), { message: /received 0 bytes for \d+ responses/ });
});

Deno.test("wrk's latencies are not known where they take too long to list", async () => {
  const { latency } = readingOf(wrk, await fixture(wrk, "uncounted"));
  const { count, ...rest } = latency ?? { count: 0 };
  ok(count > 0);
  deepStrictEqual(new Set(Object.values(rest)), new Set([null]));
});

Deno.test("h2load is not believed that its responses came at no rate", async () => {
  const output = await fixture(h2load, "good");
  const stdout = output.stdout.replace(/[\d.]+ req\/s/, "0.00 req/s");
  throws(() => readingOf(h2load, { ...output, stdout }), {
    message: /^The duration of the load is infinite$/,
  });
});
