import { ok, strictEqual } from "node:assert/strict";
import { ABUSES, CLOSED, FRAME_ABUSES, NO_RESPONSE } from "./abuses.ts";
import { until } from "./bench.ts";
import { bytesOf, connectTo, held, leave, openEcho, readAll, write } from "./rude_client.ts";
import { type Stage, withServer } from "./stage.ts";

/** Number of aborted requests for each route; `deno task soak` sends ten thousand. */
const LEAVING = 200;
const IDLE = 2000;
/** Milliseconds to wait for a response that must not come, and for one that must. */
const SILENCE_MS = 300;
const TIMEOUT_MS = 30_000;
/** Allowed growth of memory, in bytes: buffers and compiled code. */
const GROWTH_BYTES = 150 * 2 ** 20;

/** Returns the outcome of an abuse, in the words of the list. */
function outcomeOf(text: string): string {
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => status)
    .filter((status) => status !== "100");
  return statuses.join(" ") || NO_RESPONSE;
}

async function isWell({ server: { origin } }: Stage): Promise<void> {
  strictEqual(await (await fetch(origin)).text(), "Hello world");
}

/** Maximum number of tries of a client that closes its side after its request; on a busy machine, five failed. */
const TRIES = 20;

Deno.test({
  name: `the server survives ${ABUSES.length} abuses of a wire, and smuggles nothing`,
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withServer(async (stage) => {
      await isWell(stage);
      const before = await held(stage.server.pid);
      const wrong: string[] = [];
      const abuse = async (
        { what, sends, gets, closes = false }: typeof ABUSES[number],
      ): Promise<void> => {
        let got = "";
        // On a busy machine, the response may be ready before the client has closed its side
        for (let left = closes ? TRIES : 1; left > 0 && got !== gets; left--) {
          using connection = await connectTo(stage.server.origin);
          // A server that refuses a request need not read all of it
          await write(connection, bytesOf(sends)).catch(() => {});
          if (closes) await connection.closeWrite();
          const silenceMs = gets === NO_RESPONSE ? SILENCE_MS : TIMEOUT_MS;
          got = outcomeOf(await readAll(connection, silenceMs));
        }
        if (got !== gets) wrong.push(`${what}: ${got}, not ${gets}`);
      };
      for (const one of ABUSES) await abuse(one);
      // A busy server may answer a client that has closed its side before Deno notices
      const certain = ABUSES.filter(({ closes, gets }) => !closes || gets !== NO_RESPONSE);
      await Promise.all([...certain.map(abuse), isWell(stage)]);
      strictEqual(wrong.join("\n"), "");
      await isWell(stage);
      await until(
        async () => (await held(stage.server.pid)).files <= before.files + 5,
        "it has closed all",
      );
      ok((await held(stage.server.pid)).bytes < before.bytes + GROWTH_BYTES);
    }),
});

Deno.test({
  name: "floods keep nobody else from the server, and leave nothing behind in it",
  ignore: Deno.build.os !== "linux",
  fn: (t) =>
    withServer(async (stage) => {
      await isWell(stage);
      const before = await held(stage.server.pid);
      await t.step("a thousand requests in one write", async () => {
        using connection = await connectTo(stage.server.origin);
        const reading = readAll(connection, TIMEOUT_MS);
        const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        const last = request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
        await write(connection, bytesOf(request.repeat(999) + last));
        strictEqual((await reading).match(/HTTP\/1\.1 200/g)?.length, 1000);
      });
      await t.step("heads that come a byte at a time", async () => {
        const slow = await Promise.all(
          Array.from({ length: 200 }, () => connectTo(stage.server.origin)),
        );
        for (const byte of "GET / HTTP/1.1\r\nX: ") {
          await Promise.all(slow.map((connection) => write(connection, bytesOf(byte))));
        }
        await isWell(stage);
        for (const connection of slow) connection.close();
      });
      await t.step("two thousand connections that say nothing", async () => {
        const idle = await Promise.all(
          Array.from({ length: IDLE }, () => connectTo(stage.server.origin)),
        );
        await isWell(stage);
        for (const connection of idle) connection.close();
      });
      for (const path of ["/primes", "/delay", "/sql2"]) {
        await t.step(`clients that leave ${path}`, async () => {
          await leave(stage.server.origin, path, LEAVING);
          await isWell(stage);
        });
      }
      await until(
        async () => (await held(stage.server.pid)).files <= before.files + 15,
        "it has closed all",
      );
      strictEqual((await fetch(`${stage.server.origin}/primes`)).status, 200);
      const { bytes } = await held(stage.server.pid);
      ok(bytes < before.bytes + GROWTH_BYTES, `${before.bytes} bytes became ${bytes}`);
    }),
});

/** Returns the meaning of the first frame, in the words of {@linkcode FRAME_ABUSES}. */
function frameOutcome(text: string): string {
  const [first = 0, length = 0] = bytesOf(text);
  const payload = text.slice(length < 126 ? 2 : 4);
  switch (first & 0x0f) {
    case 1:
    case 2:
      return "echo";
    case 8:
      return String((payload.charCodeAt(0) << 8) | payload.charCodeAt(1));
    case 10:
      return "pong";
    default:
      return text === "" ? CLOSED : JSON.stringify(text);
  }
}

Deno.test(`${FRAME_ABUSES.length} abuses of a WebSocket are answered as docs/reliability.md says`, () =>
  withServer(async (stage) => {
    const wrong: string[] = [];
    for (const { what, sends, gets } of FRAME_ABUSES) {
      using connection = await openEcho(stage.server.origin);
      await write(connection, bytesOf(sends)).catch(() => {});
      const got = frameOutcome(
        await readAll(connection, gets === CLOSED ? TIMEOUT_MS : SILENCE_MS),
      );
      if (got !== gets) wrong.push(`${what}: ${got}, not ${gets}`);
    }
    strictEqual(wrong.join("\n"), "");
    await isWell(stage);
  }));
