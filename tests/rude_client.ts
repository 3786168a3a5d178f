/** A client that is free to do on a connection what `fetch` does not do. */

/** Connects to a server of this machine. */
export function connectTo(origin: string): Promise<Deno.TcpConn> {
  return Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(origin).port) });
}

/** A text of which each character is a byte. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Writes all of it. */
export async function write(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  let sent = 0;
  while (sent < bytes.length) sent += await connection.write(bytes.subarray(sent));
}

/** All that comes until the connection is closed, or nothing has come for so long. */
export async function readAll(connection: Deno.TcpConn, silenceMs: number): Promise<string> {
  const buffer = new Uint8Array(65536);
  let text = "";
  for (;;) {
    const { promise: silence, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), silenceMs);
    const reading = connection.read(buffer).catch(() => null);
    const count = await Promise.race([reading, silence]);
    clearTimeout(timer);
    if (count === null) return text;
    text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
  }
}

/** What the server's process holds. */
export async function held(pid: number | null): Promise<{ bytes: number; files: number }> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  const files = (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length;
  return { bytes: 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]), files };
}

/** Sends requests, and closes each connection without reading. */
export async function leave(origin: string, path: string, times: number): Promise<void> {
  const request = bytesOf(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const one = async (): Promise<void> => {
    const connection = await connectTo(origin);
    await write(connection, request);
    connection.close();
  };
  for (let left = times; left > 0; left -= 20) await Promise.all(Array.from({ length: 20 }, one));
}
