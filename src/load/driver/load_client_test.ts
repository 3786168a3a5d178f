import { deepStrictEqual, match, ok, rejects } from "node:assert/strict";
import { serve, TIDY, until } from "../testdata/testing.ts";
import { opener, roundRobin } from "./load_client.ts";
import { ClosedLoop } from "./closed_loop.ts";

/** Starts a WebSocket server that passes each message to `respond`, which may send messages. */
function echo(
  respond: (data: string, send: (data: string) => void) => void,
): ReturnType<typeof serve> {
  return serve((request: Request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => respond(data, (text) => socket.send(text));
    return response;
  });
}

const talkTo = (port: number) => ({
  origin: `http://127.0.0.1:${port}`,
  request: { method: "GET", path: "/echo", headers: {}, body: null },
  protocol: "websocket",
  pipelined: 1,
  mix: [],
  expected: null,
} as const);

Deno.test({
  name: "messages come back as they were sent, each with another number",
  ...TIDY,
  async fn(): Promise<void> {
    const seen = new Set<string>();
    await using server = echo((data, send) => {
      seen.add(data);
      send(data);
    });
    const client = await opener(talkTo(server.port))();
    for (let i = 0; i < 120; i++) {
      const { status, wrong, keepsAlive } = await client.ask();
      deepStrictEqual([status, wrong, keepsAlive], [200, null, true]);
    }
    client.close();
    ok(seen.size === 120 && seen.has("Stampede, message 0000000120"), String([...seen].at(-1)));
  },
});

Deno.test({
  name: "a message that comes back later, or changed, is wrong",
  ...TIDY,
  async fn(): Promise<void> {
    let before = "Stampede, message 0000000000";
    await using server = echo((data, send) => {
      send(before);
      before = data;
    });
    const client = await opener(talkTo(server.port))();
    match((await client.ask()).wrong ?? "", /^Stampede, message 0000000000$/);
    client.close();
  },
});

Deno.test({
  name: "what is no WebSocket, and a frame of another length, is refused",
  ...TIDY,
  async fn(): Promise<void> {
    await using plain = serve(() => new Response("hello"));
    await rejects(opener(talkTo(plain.port))(), /status 200 instead of 101/);
    await using short = echo((_data, send) => send("short"));
    const client = await opener(talkTo(short.port))();
    await rejects(client.ask(), /frame of 5 bytes/);
    client.close();
  },
});

Deno.test({
  name: "a message that is lost ends as a timeout",
  ...TIDY,
  async fn(): Promise<void> {
    let count = 0;
    await using server = echo((data, send) => void (++count % 20 === 0 || send(data)));
    const failures: string[] = [];
    using loop = new ClosedLoop({ ...talkTo(server.port), connections: 2, timeoutS: 0.1 }, {
      answered: () => {},
      failed: (why) => void failures.push(why),
      reconnected: () => {},
    });
    loop.start();
    await until(() => failures.length >= 2);
    await loop.halt();
    ok(failures.every((why) => why === "timeout"), failures.join());
  },
});

Deno.test("each is as often next as its weight says, as evenly as can be", () => {
  const order = (weights: readonly number[], count: number): string => {
    const turn = roundRobin(weights);
    return Array.from({ length: count }, () => turn()).join("");
  };
  deepStrictEqual(order([1], 3), "000");
  deepStrictEqual(order([4, 1], 10), "0010000100");
  deepStrictEqual(order([80, 20], 5), order([4, 1], 5));
  deepStrictEqual(order([1, 1, 1], 6), "012012");
  const many = order([0.5, 0.3, 0.2], 1000);
  deepStrictEqual(["0", "1", "2"].map((one) => many.split(one).length - 1), [500, 300, 200]);
});
