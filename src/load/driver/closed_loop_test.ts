import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { serve, sleep, TIDY, until } from "../testdata/testing.ts";
import { ONE_BY_ONE } from "./load_client.ts";
import { ClosedLoop, type ClosedLoopOptions } from "./closed_loop.ts";

type Listener = ConstructorParameters<typeof ClosedLoop>[1];

/** A listener that records the events of a loop. */
interface Heard extends Listener {
  readonly statuses: number[];
  readonly ms: number[];
  readonly failures: string[];
}

function heardBy(): Heard {
  const [statuses, ms, failures]: [number[], number[], string[]] = [[], [], []];
  return {
    statuses,
    ms,
    failures,
    answered: ({ status }, took) => {
      statuses.push(status);
      ms.push(took);
    },
    failed: (why) => void failures.push(why),
    reconnected: () => {},
  };
}

function optionsFor(port: number, change: Partial<ClosedLoopOptions> = {}): ClosedLoopOptions {
  return {
    origin: `http://127.0.0.1:${port}`,
    request: { method: "GET", path: "/", headers: {}, body: null },
    ...ONE_BY_ONE,
    connections: 3,
    timeoutS: 5,
    expected: null,
    ...change,
  };
}

Deno.test({
  name: "a loop that is halted has nothing under way, and goes on when it is started",
  ...TIDY,
  async fn(): Promise<void> {
    await using server = serve(() => new Response("right"));
    const heard = heardBy();
    using loop = new ClosedLoop(optionsFor(server.port), heard);
    await sleep(20);
    strictEqual(heard.statuses.length, 0, "nothing is sent before it is started");
    for (let i = 0; i < 2; i++) {
      const before: number = heard.statuses.length;
      loop.start();
      await until(() => heard.statuses.length > before + 10);
      await loop.halt();
      const after: number = heard.statuses.length;
      await sleep(20);
      strictEqual(heard.statuses.length, after);
    }
    deepStrictEqual(heard.failures, []);
    ok(heard.ms.every((ms) => ms > 0 && ms < 5000));
  },
});

Deno.test({
  name: "a loop that ends while it connects leaves no connection open",
  ...TIDY,
  async fn(): Promise<void> {
    await using server = serve(() => new Response("right"));
    const loop = new ClosedLoop(optionsFor(server.port, { connections: 20 }), heardBy());
    loop.start();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve(); // until it is connecting
    loop[Symbol.dispose]();
    await sleep(100); // connections that were being opened are open by now
  },
});

Deno.test({
  name: "requests that are not answered in time are timeouts, and others come after them",
  ...TIDY,
  async fn(): Promise<void> {
    let count = 0;
    await using server = serve(async () => {
      if (++count <= 3) await sleep(400);
      return new Response("right");
    });
    const heard = heardBy();
    using loop = new ClosedLoop(optionsFor(server.port, { timeoutS: 0.1 }), heard);
    loop.start();
    await until(() => heard.statuses.length > 10);
    await loop.halt();
    deepStrictEqual(heard.failures, ["timeout", "timeout", "timeout"]);
  },
});

Deno.test({
  name: "a server that is not there costs requests, and not the loop",
  ...TIDY,
  async fn(): Promise<void> {
    const port = await (async () => {
      await using server = serve(() => new Response("right"));
      return server.port;
    })();
    const heard = heardBy();
    using loop = new ClosedLoop(optionsFor(port), heard);
    loop.start();
    await until(() => heard.failures.length >= 6);
    await loop.halt();
    ok(heard.failures.every((why) => why === "transport"));
  },
});

Deno.test({
  name: "requests are sent at once, and all of their responses waited for",
  ...TIDY,
  async fn(): Promise<void> {
    let [underWay, most] = [0, 0];
    await using server = serve(async () => {
      most = Math.max(most, ++underWay);
      await sleep(1);
      underWay--;
      return new Response("right");
    });
    const heard = heardBy();
    const change = { connections: 1, pipelined: 4, expected: { same: "right" } };
    using loop = new ClosedLoop(optionsFor(server.port, change), heard);
    loop.start();
    await until(() => heard.statuses.length > 20);
    await loop.halt();
    strictEqual(heard.statuses.length % 4, 0);
    deepStrictEqual(heard.failures, []);
    strictEqual(underWay, 0);
    ok(most >= 1);
  },
});

Deno.test({
  name: "kinds of requests are sent in turn, and each response is held against its own",
  ...TIDY,
  async fn(): Promise<void> {
    await using server = serve((request) => new Response(new URL(request.url).pathname));
    const seen: string[] = [];
    const part = (path: string, weight: number, same = path) => ({
      scenario: path,
      weight,
      request: { method: "GET", path, headers: {}, body: null },
      expected: { same },
    } as const);
    const mix = [part("/often", 3), part("/seldom", 1, "/other")];
    using loop = new ClosedLoop(optionsFor(server.port, { connections: 2, mix }), {
      answered: ({ kind, wrong }) => void seen.push(`${kind} ${wrong}`),
      failed: () => {},
      reconnected: () => {},
    });
    loop.start();
    await until(() => seen.length >= 40);
    await loop.halt();
    const often = seen.filter((one) => one === "0 null").length;
    const seldom = seen.filter((one) => one === "1 /seldom").length;
    strictEqual(often + seldom, seen.length, seen.join());
    ok(Math.abs(often - 3 * seldom) <= 6, `${often} and ${seldom}`);
  },
});

Deno.test({
  name:
    "a connection that does not open in time counts as a timeout, and a halted loop does not wait for it",
  ...TIDY,
  async fn(): Promise<void> {
    // It accepts connections, and never answers a handshake
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const accepted: Deno.Conn[] = [];
    const accepting = (async () => {
      for await (const connection of listener) accepted.push(connection);
    })();
    for (const change of [{ protocol: "websocket" }, {}] as const) {
      const heard = heardBy();
      const scheme = "protocol" in change ? "http" : "https";
      const origin = `${scheme}://127.0.0.1:${listener.addr.port}`;
      using loop = new ClosedLoop(optionsFor(0, { origin, timeoutS: 0.2, ...change }), heard);
      loop.start();
      await until(() => heard.failures.length >= 3);
      await loop.halt();
      deepStrictEqual([...new Set(heard.failures)], ["timeout"]);
    }
    for (const connection of accepted) connection.close();
    listener.close();
    await accepting;
  },
});
