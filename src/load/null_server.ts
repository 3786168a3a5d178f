import { fileURLToPath } from "node:url";
import { Failure } from "../model/errors.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { Child } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";
import { tlsInUse } from "../process/tls_client.ts";

const PROCESS = new URL("./null_server_process.ts", import.meta.url);
/**
 * Header fields of the message framing. They are not copied, because the canned response gets other
 * values.
 */
const FRAMING_HEADERS = ["connection", "content-encoding", "content-length", "transfer-encoding"];

/** The response of the null server, sent to it as one line. */
export interface CannedResponse {
  /** The whole HTTP/1.1 response, in base64. */
  readonly bytes: string;
  /** Status of the same response, for HTTP/2. */
  readonly status: number;
  /** Header fields of the same response without those of the framing, for HTTP/2. */
  readonly headers: readonly (readonly [string, string])[];
  /** Body of the same response, for HTTP/2. */
  readonly text: string;
}

/**
 * A running null server. It ends when it is disposed, or when the {@linkcode ProcessScope} that started it
 * is.
 */
interface NullServer extends AsyncDisposable {
  readonly origin: string;
  readonly process: Child;
}

/**
 * Starts a server that sends the same response to every request.
 *
 * @param serviceUs CPU time before each response in microseconds, one request at a time
 * @throws {Failure} if it ends before it listens.
 */
export async function startNullServer(
  scope: ProcessScope,
  response: HttpResponse,
  cpus: readonly number[] | null,
  serviceUs = 0,
): Promise<NullServer> {
  const tls = tlsInUse();
  const port = Promise.withResolvers<string>();
  const process = scope.spawn({
    argv: [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS), String(serviceUs)],
    cpus,
    ...(tls !== null && {
      env: { TLS_CERT: tls.certPath, TLS_KEY: tls.keyPath, ALPN: tls.alpn },
    }),
    onLine: port.resolve,
  });
  process.ended.then(() => {
    port.reject(new Failure(`The null server ${process.howItEnded}${process.lastWords}`));
  });
  // A process that does not read its input would block a long line.
  const canned: CannedResponse = {
    bytes: bytesOf(response).toBase64(),
    status: response.status,
    headers: keptHeaders(response),
    text: response.text,
  };
  await Promise.race([process.writeLine(JSON.stringify(canned)), port.promise]);
  return {
    origin: `${tls === null ? "http" : "https"}://127.0.0.1:${await port.promise}`,
    process,
    [Symbol.asyncDispose]: async () => void await process.stop(),
  };
}

/** Returns the header fields that do not concern the framing. */
function keptHeaders({ headers }: HttpResponse): [string, string][] {
  return [...headers].filter(([name]) => !FRAMING_HEADERS.includes(name));
}

function bytesOf(response: HttpResponse): Uint8Array {
  const encoder = new TextEncoder();
  const body = encoder.encode(response.text);
  const head = [
    `HTTP/1.1 ${response.status} OK`,
    ...keptHeaders(response).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    "connection: keep-alive", // without it, ab speaks HTTP/1.0 and waits for the connection to close
  ];
  const start = encoder.encode(`${head.join("\r\n")}\r\n\r\n`);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}
