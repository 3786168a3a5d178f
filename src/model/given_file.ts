/** Files that come from outside: a person names them, or they lie in a folder that another one has made. */

const MIB = 2 ** 20;

/** The largest file that is read, in bytes, by what it is: more than anybody writes, and no danger to the memory. */
const MOST_BYTES = {
  /** Stampede's own are 3 kB, and a file `.env` has a line for each variable. */
  manifest: MIB,
  preset: MIB,
  env: MIB,
  certificate: MIB,
  /** Those of a project: package.json, Cargo.toml and so on. */
  project: 4 * MIB,
  scenario: 4 * MIB,
  /** What GitHub writes for a run of a workflow; its own limit is 25 MB. */
  event: 32 * MIB,
  /** As long as a response may be. */
  body: 64 * MIB,
  /** A line for each run. */
  index: 64 * MIB,
  /** A source of a server, which may hold data. */
  source: 256 * MIB,
  /** What a runner of k6 prints for hours. */
  export: 256 * MIB,
  /** Less than a string can hold. */
  report: 256 * MIB,
} as const;

/** What a file from outside is. */
export type GivenKind = keyof typeof MOST_BYTES;

/** What a file is read by at once, in bytes. */
const PIECE = 64 * 2 ** 10;

/**
 * Reads a file from outside as text.
 *
 * @throws {Error} if it cannot be read, is no regular file, or is larger than one of its kind may be.
 */
export async function readGivenFile(path: string, kind: GivenKind): Promise<string> {
  return new TextDecoder().decode(await readGivenBytes(path, kind));
}

/** Reads a file from outside; throws as {@linkcode readGivenFile} does. */
export async function readGivenBytes(
  path: string,
  kind: GivenKind,
): Promise<Uint8Array<ArrayBuffer>> {
  assertRegular(await Deno.stat(path)); // to open a pipe would wait for who writes it
  using file = await Deno.open(path);
  return bytesOf(file, kind);
}

/** As {@linkcode readGivenFile}, where nothing can be waited for. */
export function readGivenFileSync(path: string, kind: GivenKind): string {
  assertRegular(Deno.statSync(path));
  using file = Deno.openSync(path);
  return new TextDecoder().decode(bytesOf(file, kind));
}

/** The bytes of a regular file, which come at once. */
function bytesOf(file: Deno.FsFile, kind: GivenKind): Uint8Array<ArrayBuffer> {
  const { size } = assertRegular(file.statSync());
  const most = MOST_BYTES[kind];
  let bytes = new Uint8Array(Math.min(size, most) + PIECE);
  let length = 0;
  for (;;) {
    const count = file.readSync(bytes.subarray(length));
    if (count === null) return bytes.subarray(0, length);
    length += count;
    // It may have grown meanwhile, and some have no size
    if (length > most) throw new Error(`it has more than ${most / MIB} MiB`);
    if (length < bytes.length) continue;
    const larger = new Uint8Array(2 * length);
    larger.set(bytes);
    bytes = larger;
  }
}

function assertRegular(info: Deno.FileInfo): Deno.FileInfo {
  if (info.isFile) return info;
  const what = info.isDirectory
    ? "folder"
    : info.isFifo
    ? "pipe"
    : info.isSocket
    ? "socket"
    : "device";
  throw new Error(`it is a ${what}, and only regular files are read`);
}
