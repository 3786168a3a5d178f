import type { HttpRequest, Protocol } from "../../model/scenario.ts";
import { type Expected, ResponseReader } from "./response_reader.ts";
import { type Client, Connection, WeightedRoundRobin } from "./connection.ts";
import { encodeRequest } from "./head.ts";
import { addressOf } from "../../process/connect.ts";
import { SocketClient } from "./socket.ts";

/** The requests that each connection sends repeatedly. */
export interface Talk {
  readonly origin: string;
  readonly request: HttpRequest;
  readonly protocol: Protocol;
  /** Number of requests sent at once. */
  readonly pipelined: number;
  readonly expected: Expected;
  /** Kinds of requests sent in turn according to their weights; empty: only `request` is sent. */
  readonly mix: readonly MixPart[];
}

/** One kind of request of a mix. */
export interface MixPart {
  /** Id of its scenario. */
  readonly scenario: string;
  readonly weight: number;
  readonly request: HttpRequest;
  readonly expected: Expected;
}

/** Plain HTTP requests, one at a time. */
export const ONE_BY_ONE = { protocol: "http", pipelined: 1, mix: [] } as const satisfies Partial<
  Talk
>;

/** Returns a function that opens a connection for the given requests. */
export function opener(
  { origin, request, protocol, pipelined, expected, mix }: Talk,
): () => Promise<Client> {
  const address = addressOf(origin);
  if (protocol === "websocket") return () => SocketClient.open(address, origin, request);
  const kinds = mix.length > 0 ? mix : [{ request, expected, weight: 1 }];
  const roundRobin = new WeightedRoundRobin(kinds.map(({ weight }) => weight));
  const requests = kinds.map((one) => repeated(encodeRequest(origin, one.request), pipelined));
  return () => {
    const lines = kinds.map((one, kind) => ({
      bytes: requests[kind] as Uint8Array<ArrayBuffer>,
      responses: new ResponseReader(one.request.method === "HEAD", one.expected, {
        pipelined,
        kind,
      }),
    }));
    return Connection.open(address, lines, roundRobin);
  };
}

function repeated(bytes: Uint8Array, times: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(times * bytes.length);
  for (let i = 0; i < times; i++) all.set(bytes, i * bytes.length);
  return all;
}
