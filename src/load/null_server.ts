/** Starts the null server, which shows how fast a load generator is. */
import { Failure } from "../model/errors.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { Child } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";
import { tlsInUse } from "../process/tls_client.ts";
import { denoRun } from "./generator.ts";

/** Header fields of the message framing. The null server sets them itself. */
const FRAMING_HEADERS = ["connection", "content-encoding", "content-length", "transfer-encoding"];

/**
 * Starts a server that sends the same response to every request, until it or `scope` is disposed.
 *
 * @param serviceUs CPU time before each response in microseconds, one request at a time
 * @throws {Failure} if it ends before it listens.
 */
export async function startNullServer(
  scope: ProcessScope,
  { status, headers, text }: HttpResponse,
  cpus: readonly number[] | null,
  serviceUs = 0,
): Promise<AsyncDisposable & { readonly origin: string; readonly process: Child }> {
  const tls = tlsInUse();
  const port = Promise.withResolvers<string>();
  const process = scope.spawn({
    argv: denoRun(new URL("./null_server_process.ts", import.meta.url), String(serviceUs)),
    cpus,
    env: tls === null ? {} : { TLS_CERT: tls.certPath, TLS_KEY: tls.keyPath, ALPN: tls.alpn },
    onLine: port.resolve,
  });
  process.ended.then(() => {
    port.reject(new Failure(`The null server ${process.howItEnded}${process.lastWords}`));
  });
  const kept = [...headers].filter(([name]) => !FRAMING_HEADERS.includes(name));
  const canned = JSON.stringify({ status, headers: kept, text });
  // A process that does not read its input would block a long line.
  await Promise.race([process.writeLine(canned), port.promise]);
  return {
    origin: `${tls === null ? "http" : "https"}://127.0.0.1:${await port.promise}`,
    process,
    [Symbol.asyncDispose]: async () => void await process.stop(),
  };
}
