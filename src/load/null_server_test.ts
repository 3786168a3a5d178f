import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { ProcessScope } from "../process/scope.ts";
import type { HttpResponse } from "../model/scenario.ts";
import { startNullServer } from "./null_server.ts";
import { TIDY, within } from "./testdata/testing.ts";

/** Returns a response with the header fields of its message framing. */
function responseOf(status: number, text: string): HttpResponse {
  const headers = new Headers({ "content-type": "text/plain;charset=UTF-8", "x-foo": "a, b" });
  headers.append("set-cookie", "c=1");
  headers.append("set-cookie", "d=2");
  headers.set("content-encoding", "gzip");
  headers.set("content-length", "7");
  headers.set("transfer-encoding", "chunked");
  return { status, headers, text };
}

/** Returns the bytes of that response on the wire. */
function bytesOf(status: number, text: string): string {
  const head = [
    `HTTP/1.1 ${status} OK`,
    "content-type: text/plain;charset=UTF-8",
    "set-cookie: c=1",
    "set-cookie: d=2",
    "x-foo: a, b",
    `content-length: ${new TextEncoder().encode(text).length}`,
    "connection: keep-alive",
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

/** Reads as many bytes as the expected text has. */
async function read(connection: Deno.Conn, expected: string): Promise<string> {
  const wanted = new TextEncoder().encode(expected).length;
  const bytes = new Uint8Array(wanted + 1);
  let length = 0;
  while (length < wanted) {
    const count = await within(connection.read(bytes.subarray(length)));
    if (count === null) break;
    length += count;
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
}

Deno.test("the null server gives one response to all that comes", TIDY, async () => {
  await using scope = new ProcessScope();
  await using canned = await startNullServer(scope, responseOf(203, "héllo"), null);
  using client = Deno.createHttpClient({});
  for (const init of [{}, { method: "POST", body: "ping".repeat(100) }, { method: "PUT" }]) {
    for (const path of ["/", "/x?y=1"]) {
      const response = await fetch(canned.origin + path, { ...init, client });
      strictEqual(response.status, 203);
      const { headers } = response;
      deepStrictEqual(headers.getSetCookie(), ["c=1", "d=2"]);
      deepStrictEqual([headers.get("x-foo"), headers.get("content-encoding")], ["a, b", null]);
      strictEqual(await response.text(), "héllo");
    }
  }
});

Deno.test("the null server keeps many connections alive and answers on each", TIDY, async () => {
  await using scope = new ProcessScope();
  for (const text of ["", "héllo", "é".repeat(300_000)]) {
    await using canned = await startNullServer(scope, responseOf(200, text), null);
    const port = Number(new URL(canned.origin).port);
    const expected = bytesOf(200, text);
    const connect = (): Promise<Deno.TcpConn> => Deno.connect({ hostname: "127.0.0.1", port });
    const connections = await Promise.all(Array.from({ length: 50 }, connect));
    for (const request of ["GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1"]) {
      const responses = await Promise.all(connections.map(async (connection) => {
        await connection.write(new TextEncoder().encode(request));
        return await read(connection, expected);
      }));
      ok(responses.every((response) => response === expected));
    }
    for (const connection of connections) connection.close();
  }
});

Deno.test("the null server outlives a client that goes away in the middle", TIDY, async () => {
  await using scope = new ProcessScope();
  await using canned = await startNullServer(scope, responseOf(200, "x".repeat(5e6)), null);
  const port = Number(new URL(canned.origin).port);
  for (let i = 0; i < 5; i++) {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n"));
    await connection.read(new Uint8Array(100));
  }
  const text = await within(fetch(canned.origin).then((response) => response.text()));
  strictEqual(text.length, 5e6);
});

Deno.test("the null server ends with its scope", TIDY, async () => {
  await using scope = new ProcessScope();
  let process;
  {
    await using canned = await startNullServer(scope, responseOf(200, ""), null);
    ({ process } = canned);
    strictEqual(process.hasEnded, false);
  }
  strictEqual(process.hasEnded, true);
});

Deno.test({
  name: "a null server that cannot start is a failure, however much it was to be told",
  ignore: Deno.build.os !== "linux", // without pinning, pinning cannot fail
  ...TIDY,
  fn: async () => {
    await using scope = new ProcessScope();
    for (const text of ["", "x".repeat(600_000)]) {
      const start = startNullServer(scope, responseOf(200, text), [4095]);
      const message = /^The null server ended with exit code \d+:\n.*affinity/;
      await rejects(start, { name: "Failure", message });
    }
  },
});
