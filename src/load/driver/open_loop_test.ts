import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { freePort } from "../../process/connect.ts";
import { now } from "../metronome.ts";
import { serve, serveRaw, serveTexts, sleep, TIDY, until } from "../testdata/testing.ts";
import type { ClosedLoopOptions } from "./closed_loop.ts";
import { ONE_BY_ONE } from "./load_client.ts";
import { type Arrival, OpenLoop } from "./open_loop.ts";

type Listener = ConstructorParameters<typeof OpenLoop>[1];

/** A listener that records the events of a loop. */
interface Heard extends Listener {
  readonly arrivals: Arrival[];
  readonly failures: string[];
}

function listener(): Heard {
  const [arrivals, failures]: [Arrival[], string[]] = [[], []];
  return {
    arrivals,
    failures,
    answered: (arrival) => void arrivals.push(arrival),
    failed: (_, why) => void failures.push(why),
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

/** Starts a server that counts its connections and answers after `go`. */
function holding(): { handler: Deno.ServeHandler<Deno.NetAddr>; ports: Set<number>; go(): void } {
  const ports = new Set<number>();
  const held: (() => void)[] = [];
  return {
    ports,
    go: () => held.shift()?.(),
    handler: (_, { remoteAddr: { port } }) => {
      ports.add(port);
      const { promise, resolve } = Promise.withResolvers<Response>();
      held.push(() => resolve(new Response("right")));
      return promise;
    },
  };
}

Deno.test(
  "an open loop takes the connection that is idle before it opens another one",
  TIDY,
  async () => {
    const ports = new Set<number>();
    await using server = serve((_, { remoteAddr: { port } }) => {
      ports.add(port);
      return new Response("right");
    });
    const heard = listener();
    using loop = new OpenLoop(optionsFor(server.port), heard);
    for (let i = 1; i <= 5; i++) {
      loop.arrive(now());
      await until(() => heard.arrivals.length === i);
    }
    strictEqual(ports.size, 1);
    ok(
      heard.arrivals.every(({ dueMs, noticedMs, sentMs }) =>
        dueMs <= noticedMs && noticedMs <= (sentMs ?? 0)
      ),
    );
  },
);

Deno.test("what finds every connection busy waits in line, or is shed", TIDY, async () => {
  const { handler, ports, go } = holding();
  await using server = serve(handler);
  const heard = listener();
  using loop = new OpenLoop(optionsFor(server.port, { connections: 2 }), heard);
  const dues = [1, 2, 3, 4, 5].map((i) => now() + i);
  for (const due of dues) loop.arrive(due);
  await until(() => ports.size === 2);
  deepStrictEqual(loop.underWay.map(({ dueMs }) => dueMs), dues.slice(0, 2));
  go();
  await until(() => heard.arrivals.length === 1);
  await until(() => loop.underWay.some(({ dueMs }) => dueMs === dues[2]));
  deepStrictEqual(loop.shed().map(({ dueMs, sentMs }) => [dueMs, sentMs]), [
    [dues[3], null],
    [dues[4], null],
  ]);
  await sleep(20);
  go();
  go();
  await until(() => heard.arrivals.length === 3);
  deepStrictEqual([loop.underWay, heard.failures], [[], []]);
});

Deno.test(
  "a connection that the server closed while it was idle costs no request",
  TIDY,
  async () => {
    await using server = serveRaw("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nright");
    const heard = listener();
    using loop = new OpenLoop(optionsFor(server.port), heard);
    for (let i = 1; i <= 3; i++) {
      loop.arrive(now());
      await until(() => heard.arrivals.length === i);
      await sleep(50); // the server closes the connection without announcing it
    }
    deepStrictEqual(heard.failures, []);
  },
);

Deno.test("an open loop counts connections on which bytes come that no request asked for", async () => {
  const text = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nright";
  await using server = serveTexts((request) => request === 1 ? [text, text] : [text]);
  const heard = listener();
  using loop = new OpenLoop(optionsFor(server.port), heard);
  for (let i = 1; i <= 2; i++) {
    loop.arrive(now());
    await until(() => heard.arrivals.length === i);
    await sleep(100); // all surplus bytes have arrived
    strictEqual(loop.surplus, 1);
  }
});

Deno.test("an open loop tells what failed, and goes on", TIDY, async () => {
  let count = 0;
  await using server = serve(async () => {
    if (++count === 1) await sleep(500);
    return new Response("right");
  });
  const heard = listener();
  using loop = new OpenLoop(optionsFor(server.port, { connections: 1, timeoutS: 0.2 }), heard);
  loop.arrive(now());
  await until(() => heard.failures.length === 1);
  loop.arrive(now());
  await until(() => heard.arrivals.length === 1);
  deepStrictEqual(heard.failures, ["timeout"]);
  using refused = new OpenLoop(optionsFor(freePort()), heard);
  refused.arrive(now());
  await until(() => heard.failures.length === 2);
  await using garbled = serveRaw("no HTTP at all\r\n\r\n");
  using puzzled = new OpenLoop(optionsFor(garbled.port), heard);
  puzzled.arrive(now());
  await until(() => heard.failures.length === 3);
  deepStrictEqual(heard.failures, ["timeout", "transport", "transport"]);
});

Deno.test("an open loop that ends while it connects leaves no connection open", TIDY, async () => {
  await using server = serve(() => new Response("right"));
  const loop = new OpenLoop(optionsFor(server.port, { connections: 20 }), listener());
  for (let i = 0; i < 20; i++) loop.arrive(now());
  for (let turn = 0; turn < 5; turn++) await Promise.resolve(); // until it is connecting
  loop[Symbol.dispose]();
  await sleep(100); // connections that were being opened are open by now
});
