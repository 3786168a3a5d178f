import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Variant } from "../model/experiment.ts";
import type { LaunchRecord } from "../model/raw.ts";
import type { Server } from "../model/server.ts";
import { summariseServers, workersOf } from "./summaries.ts";

const SERVER = {
  id: "hono",
  name: "Hono",
  basedOn: "deno",
  approach: "idiomatic",
  workers: "configurable",
  runtime: "Node.js",
  guide: "https://hono.dev",
  settings: { NODE_ENV: "production" },
  scenarios: { text: {} },
} as Partial<Server> as Server;
const VARIANT: Variant = { id: "hono", label: "Hono", server: SERVER, generator: "wrk", env: {} };

const launch = (variant: string, round: number, startUpS: number | null): LaunchRecord => ({
  handshakes: null,
  variant,
  round,
  startUpS,
  idleRssBytes: 100 * round,
});

Deno.test("workersOf is what the variables say, of a server that can be told", () => {
  strictEqual(workersOf(SERVER, { WORKERS: "4" }), 4);
  strictEqual(workersOf(SERVER, {}), 1);
  strictEqual(workersOf({ ...SERVER, workers: "one" }, { WORKERS: "4" }), 1);
  strictEqual(workersOf({ ...SERVER, workers: "unlimited" }, { WORKERS: "4" }), null);
});

Deno.test("summariseServers has a server for each variant, by the variant's own name", () => {
  const head: Variant = { ...VARIANT, id: "head", label: "Hono as it is", env: { WORKERS: "2" } };
  const [own, other] = summariseServers(
    [
      { variant: VARIANT, skipped: null, failure: null },
      { variant: head, skipped: null, failure: "Cannot build Hono" },
    ],
    [launch("hono", 1, 0.2), launch("hono", 2, null), launch("head", 3, null)],
  );
  deepStrictEqual([own?.id, own?.name, own?.basedOn, own?.workers], ["hono", "Hono", "deno", 1]);
  deepStrictEqual(
    [own?.runtime, own?.guide, own?.settings],
    [SERVER.runtime, SERVER.guide, SERVER.settings],
  );
  deepStrictEqual([own?.startUpS?.median, own?.idleRssBytes], [0.2, 150]);
  deepStrictEqual([other?.id, other?.name, other?.workers], ["head", "Hono as it is", 2]);
  strictEqual(other?.basedOn, null, "nothing in this run is known to be its base");
  deepStrictEqual([other?.startUpS, other?.failure], [null, "Cannot build Hono"]);
});

Deno.test("several launches of a round count as one", () => {
  const server = { variant: VARIANT, skipped: null, failure: null };
  const launches = [1, 2].flatMap((round) =>
    [0.1, 0.2, 0.3].map((startUpS) => launch("hono", round, startUpS * round))
  );
  const [own] = summariseServers([server], launches);
  deepStrictEqual(own?.startUpS?.median.toFixed(3), "0.300");
  deepStrictEqual([own?.startUpS?.min, own?.startUpS?.max], [0.2, 0.4]);
  strictEqual(own?.startUpS?.confidenceInterval, null, "two rounds");
});
