import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { drive, driveEach } from "./testdata/driving.ts";
import { each, LOAD, serve, serveRaw, serveTexts, type TestHandler } from "./testdata/testing.ts";

/** Answers "right"; every other response has another status and a text that is not checked. */
function alternating(): TestHandler {
  let count = 0;
  return () => ++count % 2 === 0 ? new Response("right") : new Response("sorry", { status: 503 });
}

each("no timer of a window of whole cycles meddles with the next window", async (generator) => {
  await using server = serve(() => new Response("right"));
  const [cycles, timed] = await drive(
    generator,
    server.port,
    { responses: 10, timeoutS: 1 }, // the timer waits a second for a first response, which comes at once
    { warmupS: 0.2, durationS: 1.6, timeoutS: 1 }, // the window is open when that second is over
  );
  for (const driven of [cycles, timed]) deepStrictEqual(driven?.events, ["opened", "closed"]);
  strictEqual(cycles?.result.statuses[200], 10);
  ok((timed?.result.durationS ?? 0) > 1.5);
});

each("a window tells its rate in every quarter of a second", async (generator) => {
  await using server = serve(() => new Response("right"));
  const [driven] = await drive(generator, server.port, { durationS: 1.2 });
  const { slicesPerS = [], durationS = NaN, statuses = {} } = driven?.result ?? {};
  // A process that waits for a processor samples late.
  ok(
    slicesPerS.length >= 2 && slicesPerS.length <= durationS / 0.25,
    `${slicesPerS.length} slices`,
  );
  const mean = slicesPerS.reduce((sum, rate) => sum + rate, 0) / slicesPerS.length;
  const rate = (statuses[200] ?? 0) / durationS;
  ok(mean > rate / 2 && mean < rate * 2, `${mean} and ${rate} responses a second`);
});

each("the bodies that are looked at are those of the window's 2xx responses", async (generator) => {
  await using server = serve(alternating());
  // An odd number of responses on one connection begins and ends with the same status.
  const windows = await drive(generator, server.port, {}, { responses: 101, connections: 1 });
  for (const { result: { statuses, checkedBodies, wrongResponses } } of windows) {
    ok((statuses[503] ?? 0) > 0 && checkedBodies > 0);
    deepStrictEqual([checkedBodies, wrongResponses], [statuses[200], 0]);
  }
});

each("connections are counted that are opened in the window", async (generator) => {
  await using keeping = serve(() => new Response("right"));
  await using closing = serveRaw("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nright");
  const [kept] = await drive(generator, keeping.port, {});
  const [closed] = await drive(generator, closing.port, {});
  ok((kept?.result.statuses[200] ?? 0) > 0 && (closed?.result.statuses[200] ?? 0) > 0);
  strictEqual(kept?.result.connectionsOpened, 0);
  ok((closed?.result.connectionsOpened ?? 0) > 0);
});

each("a connection that the server says it will close gets no other request", async (generator) => {
  let [requests, responses] = [0, 0];
  const end = new AbortController();
  const { promise: listening, resolve } = Promise.withResolvers<number>();
  // Like Werkzeug, it announces the close, and then reads until nothing more arrives.
  const serveOne = async (connection: Deno.Conn): Promise<void> => {
    using _ = connection;
    const buffer = new Uint8Array(4096);
    const text = "HTTP/1.0 200 OK\r\nconnection: close\r\ncontent-length: 5\r\n\r\nright";
    for (let isFirst = true; await connection.read(buffer) !== null; isFirst = false) {
      requests++;
      if (!isFirst) continue;
      await connection.write(new TextEncoder().encode(text));
      responses++;
    }
  };
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  end.signal.addEventListener("abort", () => listener.close());
  const serving = (async () => {
    resolve(listener.addr.port);
    for await (const connection of listener) serveOne(connection).catch(() => {});
  })();
  const [driven] = await drive(generator, await listening, {});
  end.abort();
  await serving;
  const { statuses = {}, connectionsOpened = 0, transportErrors, timeouts } = driven?.result ?? {};
  ok((statuses[200] ?? 0) > 10, "every response comes");
  ok(Math.abs((connectionsOpened ?? 0) - (statuses[200] ?? 0)) <= LOAD.connections);
  deepStrictEqual([transportErrors, timeouts, requests - responses], [0, 0, 0]);
});

each("bodies are compared byte by byte, wherever the network has cut them", async (generator) => {
  const text = "\ufeff" + "\u20ac\u00e9a".repeat(50_000);
  await using server = serve(() => new Response(text));
  const bodies = [{ same: text }, { matches: "^.(\u20ac\u00e9a){3}" }, { same: text + "a" }, null];
  const drives = bodies.map((expected) => ({ load: {}, expected }));
  for (const [i, { result }] of (await driveEach(generator, server.port, drives)).entries()) {
    const { statuses, checkedBodies, wrongResponses } = result;
    const all = statuses[200] ?? 0;
    ok(all > 0);
    const expected = [[all, 0], [all, 0], [all, all], [0, 0]];
    deepStrictEqual([checkedBodies, wrongResponses], expected[i], JSON.stringify(i));
  }
});

const RIGHT = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nright";

/** Servers that send every response twice after the 500th, by the way they write them. */
const DOUBLING: Readonly<Record<string, readonly string[]>> = {
  "in one write": [RIGHT + RIGHT],
  "in two writes": [RIGHT, RIGHT],
  "in one write, and close": [
    RIGHT.replace("\r\n", "\r\nconnection: close\r\n").repeat(2),
  ],
};

for (const [how, texts] of Object.entries(DOUBLING)) {
  each(`a server that sends every response twice, ${how}, is noticed`, async (generator) => {
    await using server = serveTexts((request) => request <= 100 ? [RIGHT] : texts);
    const [driven] = await drive(generator, server.port, { durationS: 1 });
    const { wrongResponses = 0, wrongResponse = "", allResponses = 0 } = driven?.result ?? {};
    ok(allResponses > 100, `it did not come to that: ${allResponses}`);
    ok(wrongResponses > 0);
    strictEqual(wrongResponse, "bytes after a response that belong to no request");
  });
}

each("a surplus response at the end of the last window is noticed", async (generator) => {
  let noticed = 0;
  // A stalled machine may deliver two responses at once, or the last one too late
  for (let load = 0; load < 5 && noticed === 0; load++) {
    // Each later response comes after a pause. Otherwise two of them may arrive in one read during the
    // warm-up, which ends the connection with the surplus.
    await using server = serveTexts((request) => [request === 1 ? RIGHT : "", RIGHT]);
    const [driven] = await drive(generator, server.port, { connections: 1 });
    noticed = driven?.result.wrongResponses ?? 0;
  }
  ok(noticed > 0);
});

each("interim responses are skipped, also if they come before the final one", async (generator) => {
  await using server = serveTexts((request) => {
    const interim = `HTTP/1.1 ${[100, 102, 103][request % 3]} \r\nlink: </a>; rel=preload\r\n\r\n`;
    return request % 2 === 0 ? [interim + RIGHT] : [interim, interim, RIGHT];
  });
  const [driven] = await drive(generator, server.port, {});
  const { statuses = {}, wrongResponses, transportErrors } = driven?.result ?? {};
  deepStrictEqual(Object.keys(statuses), ["200"]);
  deepStrictEqual([wrongResponses, transportErrors], [0, 0]);
});

each("no more than 64 MiB of a response are read", async (generator) => {
  const piece = "x".repeat(2 ** 20);
  const head = "HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n";
  const endless = [head, ...Array(100).fill(piece)];
  // Later connections wait, so that the machine does not send gigabytes
  await using server = serveTexts((request) => request <= 3 ? endless : [], 0);
  const [driven] = await drive(generator, server.port, { connections: 1, durationS: 3 });
  const { statuses, transportErrors = 0, timeouts } = driven?.result ?? {};
  deepStrictEqual([statuses, timeouts], [{}, 0]);
  ok(transportErrors > 0);
});
