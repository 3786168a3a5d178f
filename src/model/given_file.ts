/** More than anybody writes, and less than a string can hold. */
const MOST_BYTES = 256 * 2 ** 20;

/**
 * The text of a file that a person names, which may be a pipe, or a device without an end.
 *
 * @throws {Error} if it cannot be read, or has more than 256 MiB.
 */
export async function readGivenFile(path: string, mostBytes = MOST_BYTES): Promise<string> {
  using file = await Deno.open(path);
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of file.readable) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`it has more than ${mostBytes / 2 ** 20} MiB`);
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}
