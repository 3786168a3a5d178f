import { fileURLToPath } from "node:url";
import { Failure } from "../model/errors.ts";
import type { HttpAnswer } from "../model/scenario.ts";
import type { Child } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";

const PROCESS = new URL("./null_server_process.ts", import.meta.url);
/** Headers that say how the bytes travel; the canned answer travels in its own way. */
const TRAVEL = ["connection", "content-encoding", "content-length", "transfer-encoding"];

/** A running server of canned bytes. It ends with its scope. */
export interface NullServer extends AsyncDisposable {
  readonly origin: string;
  readonly process: Child;
}

/**
 * Starts a server that gives this answer to every request.
 *
 * @param serviceUs how long it computes before each answer, one at a time
 * @throws {Failure} if it ends before it listens.
 */
export async function startNullServer(
  scope: ProcessScope,
  answer: HttpAnswer,
  cpus: readonly number[] | null,
  serviceUs = 0,
): Promise<NullServer> {
  const port = Promise.withResolvers<string>();
  const process = scope.spawn({
    argv: [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS), String(serviceUs)],
    cpus,
    onLine: port.resolve,
  });
  process.ended.then(() => {
    port.reject(new Failure(`The null server ${process.howItEnded}${process.lastWords}`));
  });
  // One that does not read would keep a long line waiting.
  await Promise.race([process.writeLine(bytesOf(answer).toBase64()), port.promise]);
  return {
    origin: `http://127.0.0.1:${await port.promise}`,
    process,
    [Symbol.asyncDispose]: async () => void await process.stop(),
  };
}

function bytesOf({ status, headers, text }: HttpAnswer): Uint8Array {
  const encoder = new TextEncoder();
  const body = encoder.encode(text);
  const kept = [...headers].filter(([name]) => !TRAVEL.includes(name));
  const head = [
    `HTTP/1.1 ${status} OK`,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    "connection: keep-alive", // without it ab, which speaks HTTP/1.0, waits for the end
  ];
  const start = encoder.encode(`${head.join("\r\n")}\r\n\r\n`);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}
