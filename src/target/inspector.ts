import { Failure } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";

/** Time limit of a reply from the inspector, in milliseconds: a server under load is slow. */
const ANSWER_TIMEOUT_MS = 10_000;

interface InspectorReply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/**
 * A connection to the V8 inspector of one thread.
 *
 * https://chromedevtools.github.io/devtools-protocol/v8/
 */
export class Inspector implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting: Map<number, PromiseWithResolvers<unknown>> = new Map();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    socket.onclose = () => this.#fail("it closed the connection");
    socket.onerror = () => this.#fail("the connection broke");
  }

  /**
   * Connects to an inspector.
   *
   * @param url its `ws:` address
   * @throws {Failure} if it does not answer.
   */
  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    const opened = Promise.withResolvers<void>();
    socket.onopen = () => opened.resolve();
    socket.onerror = () => opened.reject(new Failure(`Cannot connect to the inspector at ${url}`));
    try {
      await replyInTime(opened.promise, "connect");
      return new Inspector(socket);
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  /**
   * Sends a command.
   *
   * @param method such as `Profiler.start`
   * @returns the result in the reply.
   * @throws {Failure} if the reply is an error or is missing.
   */
  async send(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const id = ++this.#sent;
    const reply = Promise.withResolvers<unknown>();
    reply.promise.catch(() => {}); // the server may end between two commands
    this.#waiting.set(id, reply);
    try {
      this.#socket.send(JSON.stringify({ id, method, params }));
      return await replyInTime(reply.promise, method);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure(`Cannot send a command to the inspector: ${(error as Error).message}`);
    } finally {
      this.#waiting.delete(id);
    }
  }

  #hear({ id, result, error }: InspectorReply): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Failure(`The inspector refused: ${error.message}`));
  }

  #fail(why: string): void {
    for (const { reject } of this.#waiting.values()) {
      reject(new Failure(`The inspector did not reply: ${why}`));
    }
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

function replyInTime<T>(promise: Promise<T>, what: string): Promise<T> {
  const late = `The inspector did not answer ${what} within ${ANSWER_TIMEOUT_MS / 1000} s`;
  return inTime(promise, ANSWER_TIMEOUT_MS, new Failure(late));
}
