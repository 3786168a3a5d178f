import type { HttpRequest, Protocol } from "../../model/scenario.ts";
import { type Answer, AnswerReader, type Expected } from "./answer.ts";
import { Connection } from "./connection.ts";
import { addressOf, encodeRequest } from "./request.ts";
import { SocketClient } from "./socket.ts";

/** What is sent over each connection, again and again. */
export interface Talk {
  readonly origin: string;
  readonly request: HttpRequest;
  readonly protocol: Protocol;
  /** Requests that are sent at once. */
  readonly pipelined: number;
  readonly expected: Expected;
}

/** Requests of HTTP, one after the other. */
export const ONE_BY_ONE = { protocol: "http", pipelined: 1 } as const satisfies Partial<Talk>;

/** A connection, over which the same is sent and answered again and again. */
export interface Client {
  /** Sends what is sent at once, and reads the first answer. */
  ask(): Promise<Answer>;
  /** Reads the next answer to what was sent at once. */
  next(): Promise<Answer>;
  /** Tells if something comes before the next request is sent: mostly that the server has closed it. */
  watch(onEvent: () => void): void;
  /** Closes it; what is read ends. */
  close(): void;
}

/** What opens connections of a talk. */
export function opener(
  { origin, request, protocol, pipelined, expected }: Talk,
): () => Promise<Client> {
  const address = addressOf(origin);
  if (protocol === "websocket") return () => SocketClient.open(address, origin, request);
  const one = encodeRequest(origin, request);
  const bytes = new Uint8Array(pipelined * one.length);
  for (let i = 0; i < pipelined; i++) bytes.set(one, i * one.length);
  const isHead = request.method === "HEAD";
  return () => Connection.open(address, bytes, new AnswerReader(isHead, expected, pipelined > 1));
}
