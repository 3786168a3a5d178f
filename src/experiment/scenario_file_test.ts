import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import { join } from "node:path";
import { defineScenario, get } from "../../scenarios/define.ts";
import { verify } from "../target/verify.ts";
import { readScenario, scenarioOf } from "./scenario_file.ts";

const expect = (): void => {};

/** Loads a module with this text. */
async function load(text: string, timeoutMs?: number): Promise<ReturnType<typeof readScenario>> {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "mine.ts");
    await Deno.writeTextFile(path, text);
    return await readScenario(path, timeoutMs);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readScenario loads a module's default export", async () => {
  const scenario = await load(`
    import { defineScenario, expectText, get } from "stampede/scenario";
    export default defineScenario({
      id: "cart",
      request: get("/cart"),
      expect: (answer) => expectText(answer, "empty"),
    });
  `);
  strictEqual(`${scenario.id} ${scenario.title} ${scenario.underLoad}`, "cart GET /cart same");
  const headers = new Headers();
  const facts = { helloHtml: "", rows: () => Promise.resolve([]) };
  const response = { status: 200, headers, text: "full" };
  await rejects(
    async () => await scenario.checks[0]?.run(() => Promise.resolve(response), facts, ""),
    { name: "Mismatch" },
  );
});

Deno.test("readScenario needs no import of Stampede: the defaults are the same", async () => {
  const scenario = await load(`
    export default {
      id: "cart",
      request: { path: "/cart" },
      expect({ status }) {
        if (status !== 200) throw new Error("status " + status);
      },
    };
  `);
  strictEqual(
    `${scenario.request.method} ${scenario.title} ${scenario.underLoad}`,
    "GET GET /cart same",
  );
  const facts = { helloHtml: "", rows: () => Promise.resolve([]) };
  const response = { status: 500, headers: new Headers(), text: "" };
  await rejects(
    async () => await scenario.checks[0]?.run(() => Promise.resolve(response), facts, ""),
    { name: "Mismatch", message: "expected a correct response, got status 500" },
  );
});

Deno.test("a stable scenario is requested twice, so that a body with the time is noticed", async () => {
  const text = "{ id: 'cart', request: { path: '/' }, expect() {}, underLoad: 'stable' }";
  const scenario = await load(`export default ${text}`);
  const facts = { helloHtml: "", rows: () => Promise.resolve([]) };
  for (const [body, isStable] of [[() => "empty", true], [() => `${Date.now()}`, false]] as const) {
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response(body()),
    );
    const origin = `http://127.0.0.1:${server.addr.port}`;
    const verification = await verify(origin, scenario, facts);
    strictEqual(verification.isStable, isStable);
    deepStrictEqual(verification.results.map(({ name }) => name), [
      "returns the expected response",
      "returns the expected response again, after a second",
    ]);
  }
});

Deno.test("a scenario is refused with the name of the part that is wrong", async () => {
  const right = defineScenario({ id: "cart", request: get("/cart"), expect });
  const wrongs: readonly (readonly [part: string, wrong: unknown])[] = [
    ["id", "my cart"],
    ["request", { method: "GET", headers: {} }],
    ["request", { ...get("/cart"), headers: null }],
    ["request", { ...get("/cart"), headers: { x: "a\r\ny: b" } }],
    ["request", get("@192.0.2.1/")],
    ["request", get("/a b")],
    ["queries", -1],
    ["connections", 0],
    ["connections", 1e9],
    ["warmupS", NaN],
    ["warmupS", Infinity],
    ["cycle", {}],
    ["cycle", { every: 100 }],
    ["cycle", { every: 100, waitS: 1e6 }],
    ["checks", []],
    ["underLoad", "sometimes"],
    ["expect", "empty"],
    ["expect", async () => {}],
  ];
  for (const [part, wrong] of wrongs) {
    throws(() => scenarioOf("mine.ts", { ...right, [part]: wrong }), {
      name: "UsageError",
      message: new RegExp(`its "${part}" is missing, empty or of another kind`),
    });
  }
  await rejects(load("export default { id: 'a b', request: { path: '/' }, expect() {} };"), {
    name: "UsageError",
    message: /its "id" is missing, empty or of another kind/,
  });
});

Deno.test("readScenario says what is wrong with a file", async () => {
  const wrongs: readonly (readonly [exported: unknown, message: RegExp])[] = [
    [5, /has no default export/],
    [{ id: "x" }, /its "title" is missing, empty or of another kind/],
    [{ id: "x", warmUpS: 1 }, /it has an unknown "warmUpS"/],
    [{ id: "text" }, /the suite already has a "text"/],
  ];
  for (const [exported, message] of wrongs) {
    throws(() => scenarioOf("mine.ts", exported), { name: "UsageError", message });
  }
  const cases: readonly (readonly [text: string, message: RegExp])[] = [
    ["export const x = 1;", /has no default export/],
    ["throw new Error('no luck');", /^Cannot load the scenario .*: no luck$/],
    ["export default {", /^Cannot load the scenario/],
  ];
  for (const [text, message] of cases) {
    await rejects(load(text), { name: "UsageError", message });
  }
  await rejects(readScenario("/no/such/file.ts"), /Cannot load the scenario/);
  const slow = "await new Promise((resolve) => setTimeout(resolve, 300));";
  await rejects(load(slow, 50), /Cannot load .* it has not finished loading after 0\.05 s$/);
  await new Promise((resolve) => setTimeout(resolve, 500)); // until the timer has fired
});

Deno.test("readScenario gives up a file that never ends, in whatever way", async () => {
  const never = [
    "while (true);",
    "export default { id: 'x', get request() { while (true); } };",
    "await new Promise(() => setInterval(() => {}, 1000));",
  ];
  await Promise.all(never.map((text) =>
    rejects(load(text, 2000), {
      name: "UsageError",
      message: /^Cannot load the scenario .*mine\.ts: it has not finished loading after 2 s$/,
    })
  ));
});

Deno.test("readScenario names the file that throws when it is read, or throws what is no error", async () => {
  const message = (says: string): RegExp =>
    new RegExp(`^Cannot (load|use) the scenario .*mine\\.ts: .*${says}$`);
  const right = { id: "cart", request: { path: "/" }, expect };
  const thrown = (error: unknown): never => {
    throw error;
  };
  const hostile: readonly (readonly [exported: unknown, says: string])[] = [
    [
      Object.defineProperty({ ...right }, "title", {
        enumerable: true,
        get: () => thrown(new Error("no\ntitle")),
      }),
      "no title",
    ],
    [new Proxy(right, { ownKeys: () => thrown(new Error("no keys")) }), "no keys"],
    [
      Object.defineProperty({ id: "cart" }, "request", { get: () => thrown(Object.create(null)) }),
      "an error without a message",
    ],
  ];
  for (const [exported, says] of hostile) {
    throws(() => scenarioOf("mine.ts", exported), { name: "UsageError", message: message(says) });
  }
  for (
    const [text, says] of [
      ["throw Object.create(null);", "an error without a message"],
      ["throw undefined;", "undefined"],
    ] as const
  ) {
    await rejects(load(text), { name: "UsageError", message: message(says) });
  }
});

Deno.test("a scenario is used as it was checked", () => {
  let count = 0;
  const headers = {
    get x() {
      return "a".repeat(++count);
    },
  };
  const scenario = scenarioOf("mine.ts", {
    id: "cart",
    request: { path: "/", headers },
    expect,
  });
  const { x } = scenario.request.headers;
  for (let i = 0; i < 5; i++) strictEqual(scenario.request.headers.x, x);
});
