/** Reads input files: files that the user names, and files of other projects. */

const MIB = 2 ** 20;

/** Largest input file of each kind, in bytes. Real files are smaller, and such a file fits into memory. */
const MOST_BYTES = {
  /** A server's manifest. Stampede's own manifests have 3 kB. */
  manifest: MIB,
  preset: MIB,
  /** The record of a bisection, with a few lines for each step. */
  bisection: MIB,
  env: MIB,
  certificate: MIB,
  /** A project file such as package.json or Cargo.toml. */
  project: 4 * MIB,
  scenario: 4 * MIB,
  /** A webhook payload of GitHub, at most 25 MB. */
  event: 32 * MIB,
  /** A request body. The limit is the same as for a response. */
  body: 64 * MIB,
  /** The index of reports (results/index.jsonl), with one line for each run. */
  index: 64 * MIB,
  /** A source file of a server. It may contain data. */
  source: 256 * MIB,
  /** Output of a k6 runner. */
  export: 256 * MIB,
  /** A report. The limit is below the longest string of V8, which has 512 MiB. */
  report: 256 * MIB,
} as const;

type InputFileKind = keyof typeof MOST_BYTES;

/** Reads an input file as text. Throws if it is unreadable, not a regular file, or too large for its kind. */
export async function readInputFile(path: string, kind: InputFileKind): Promise<string> {
  return new TextDecoder().decode(await readInputBytes(path, kind));
}

/** Reads an input file as bytes; throws like {@linkcode readInputFile}. */
export function readInputBytes(path: string, kind: InputFileKind): Promise<Uint8Array> {
  return Promise.try(readSync, path, kind);
}

/** Reads an input file as text, synchronously; throws like {@linkcode readInputFile}. */
export function readInputFileSync(path: string, kind: InputFileKind): string {
  return new TextDecoder().decode(readSync(path, kind));
}

function readSync(path: string, kind: InputFileKind): Uint8Array {
  assertRegular(Deno.statSync(path)); // opening a pipe would block until a program writes to it
  using file = Deno.openSync(path);
  const { size } = assertRegular(file.statSync());
  const most = MOST_BYTES[kind];
  let bytes = new Uint8Array(Math.min(size, most) + 64 * 2 ** 10); // 64 KiB show if it is longer
  let length = 0;
  for (;;) {
    const count = file.readSync(bytes.subarray(length));
    if (count === null) return bytes.subarray(0, length);
    length += count;
    // The size may be wrong: the file may grow, and files in /proc have size 0
    if (length > most) throw new Error(`it has more than ${most / MIB} MiB`);
    if (length < bytes.length) continue;
    const larger = new Uint8Array(2 * length);
    larger.set(bytes);
    bytes = larger;
  }
}

function assertRegular(info: Deno.FileInfo): Deno.FileInfo {
  if (info.isFile) return info;
  const kinds = { folder: info.isDirectory, pipe: info.isFifo, socket: info.isSocket };
  const [what] = Object.entries(kinds).find(([, isOfKind]) => isOfKind) ?? ["device"];
  throw new Error(`it is a ${what}, and only regular files are read`);
}
