import { basename, join } from "node:path";
import { Failure, messageOf } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import type { Child, SpawnOptions } from "../process/child.ts";
import { explainFetchFailure } from "../process/fetch_failure.ts";
import { exists, removeFolder } from "../process/files.ts";
import { pause } from "../process/pause.ts";
import type { ProcessScope } from "../process/scope.ts";
import { resolveCommand, sourcesOf, type Toolchain } from "./toolchain.ts";
import { digest, readSources, type SourceFile, writeSources } from "./catalog.ts";

const BUILD_TIMEOUT_S = 600;
/** Milliseconds (30 days) after which an unused build is removed, when another build is made. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
/** Names of builds, locks and logs. Other files in the cache folder are not touched. */
const OURS = /-[0-9a-f]{16}(\.lock|\.log)?$/;
const LOCK_POLL_MS = 200;
/** Name of a file in each finished build; its modification time is the last use of the build. */
const STAMP = ".stampede-build";

/** The parts of a server, or of another program, that a build needs. */
type Buildable = Program & Pick<Server, "folder" | "sources" | "requires">;
type Program = Pick<Server, "id" | "name" | "prepare">;

/** The parts of a run that a build needs. */
export interface BuildContext {
  readonly scope: ProcessScope;
  readonly toolchain: Toolchain;
  /** The folder of all builds; null if there is none. */
  readonly cache: string | null;
  /** Longest duration of a build in seconds; default: {@linkcode BUILD_TIMEOUT_S}. */
  readonly timeoutS?: number;
  readonly onCommand: (command: string) => void; // before it runs
  readonly onOutput: (line: string) => void;
  /** Is called once if another Stampede process makes or still uses the same build. */
  readonly onWait: () => void;
  readonly abort: AbortSignal;
}

/**
 * Builds a server, or finds an existing build of the same sources, commands and toolchain. Returns the
 * server with the folder in which its commands run. Throws the reason of `context.abort`, or a
 * `Failure` that names a file with the full output.
 */
export async function build<T extends Buildable>(server: T, context: BuildContext): Promise<T> {
  const origin = sourcesOf(server);
  if (server.prepare.length === 0) return { ...server, folder: origin };
  const all = await readSources(origin).catch((error) => {
    throw new Failure(`Cannot read the sources of ${server.name}: ${messageOf(error)}`);
  });
  const sources = all.filter(({ path }) => path !== "server.json");
  const versions = await Promise.all(
    server.requires.map(({ command }) => context.toolchain.versionOf(command, origin)),
  );
  const folder = await buildFrom(sources, basename(origin), versions, server, context);
  return { ...server, folder };
}

/**
 * Builds a program from sources, or finds an existing build of the same sources, commands and
 * `versions`. Returns its folder: `place` and a hash. Throws like {@linkcode build}.
 */
export async function buildFrom(
  sources: readonly SourceFile[],
  place: string,
  versions: unknown,
  program: Program,
  context: BuildContext,
): Promise<string> {
  const { cache, abort } = context;
  if (cache === null) {
    throw new Failure(`There is no folder to build ${program.name} in: set --cache or HOME`);
  }
  const key = digest(sources, [cache, Deno.build.target, program.prepare, versions]);
  const folder = join(cache, `${place}-${key}`);
  try {
    await Deno.mkdir(cache, { recursive: true });
    await take(sources, folder, program, context);
  } catch (error) {
    abort.throwIfAborted();
    if (error instanceof Failure) throw error;
    throw new Failure(
      `Cannot build ${program.name} in ${cache}: ${
        messageOf(error)
      }; set --cache to another folder`,
    );
  }
  return folder;
}

/** Marks a build as unfinished: it may be why a server does not start. Returns whether there was one. */
export async function distrustBuild({ prepare, folder }: Server): Promise<boolean> {
  if (prepare.length === 0) return false;
  return await Deno.remove(join(folder, STAMP)).then(() => true, () => false);
}

/** Makes a build unless it exists, and locks it: no other process replaces it during the run. */
async function take(
  sources: readonly SourceFile[],
  folder: string,
  server: Program,
  context: BuildContext,
): Promise<void> {
  using opened = new DisposableStack();
  const lock = opened.use(await Deno.open(`${folder}.lock`, { create: true, write: true }));
  let isWaiting = false;
  while (!await lockFinished(folder, lock)) {
    if (await lock.tryLock(true)) {
      if (!await exists(join(folder, STAMP))) await make(sources, folder, server, context);
      await finish(folder, server);
    } else {
      if (!isWaiting) context.onWait();
      isWaiting = true;
      await pause(LOCK_POLL_MS, context.abort);
    }
  }
  context.scope.hold(opened.move());
  await finish(folder, server);
}

async function lockFinished(folder: string, lock: Deno.FsFile): Promise<boolean> {
  if (!await lock.tryLock(false)) return false;
  if (await exists(join(folder, STAMP))) return true;
  await lock.unlock();
  return false;
}

/** Removes builds with their locks and logs if they have not been used for a month. */
export async function forgetOldBuilds(cache: string, nowMs: number = Date.now()): Promise<void> {
  const entries = await Array.fromAsync(Deno.readDir(cache)).catch(() => []);
  for (const { name } of entries.filter(({ name }) => OURS.test(name))) {
    const path = join(cache, name);
    const build = path.replace(/\.lo(ck|g)$/, "");
    const used = await Deno.stat(join(build, STAMP)).catch(() => Deno.stat(path));
    if (nowMs - (used.mtime?.getTime() ?? nowMs) >= KEPT_MS) await removeFolder(path);
  }
}

/** Marks a build as finished, and as used now. */
async function finish(folder: string, { id }: Program): Promise<void> {
  await Deno.writeTextFile(join(folder, STAMP), `${id}\n`);
}

async function make(
  sources: readonly SourceFile[],
  folder: string,
  { name, prepare }: Program,
  { scope, timeoutS = BUILD_TIMEOUT_S, onCommand, onOutput, abort }: BuildContext,
): Promise<void> {
  await removeFolder(folder); // the remains of a build that was killed
  const needsTemp = prepare.flat().some((argument) => argument.includes("{TEMP}"));
  const temp = needsTemp ? await scope.makeFolder() : null;
  const written: string[] = [];
  const hear = (text: string): void => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    written.push(...lines);
    for (const line of lines) onOutput(line);
  };
  const signal = AbortSignal.any([abort, AbortSignal.timeout(1000 * timeoutS)]);
  try {
    await writeSources(sources, folder);
    for (const command of prepare) {
      const argv = resolveCommand(command, { TEMP: temp }, folder);
      const shown = command.join(" ");
      onCommand(shown);
      const failure = await runOne({ argv, cwd: folder, onLine: hear, onLog: hear }, scope, signal);
      abort.throwIfAborted();
      if (failure === null) continue;
      const end = signal.aborted ? `took longer than ${timeoutS / 60} minutes` : failure;
      const log = `${folder}.log`;
      const output = written.join("\n");
      await Deno.writeTextFile(log, output + "\n");
      const cause = explainFetchFailure(output) ?? written.at(-1)?.trim();
      const why = cause === undefined ? end : `${end}: ${cause}`;
      throw new Failure(`Cannot build ${name}: "${shown}" ${why}; its full output is in ${log}`);
    }
  } catch (error) {
    await removeFolder(folder);
    throw error;
  } finally {
    if (temp !== null) await removeFolder(temp);
  }
}

/** Runs one command. Returns how it failed; null if it succeeded. */
async function runOne(
  options: SpawnOptions,
  scope: ProcessScope,
  signal: AbortSignal,
): Promise<string | null> {
  signal.throwIfAborted();
  let child: Child;
  try {
    // Package managers need the user's proxies, mirrors and certificates
    child = scope.spawn({ ...options, env: Deno.env.toObject() });
  } catch (error) {
    options.onLog?.(messageOf(error));
    return "cannot be run";
  }
  const status = await child.untilEnded(signal);
  return status.success ? null : child.howItEnded;
}

/** Returns the folder for builds, below the user's `folder` or the system's cache; or null. */
export function cacheFolder(
  folder: string | null,
  env: (name: string) => string | undefined,
  os: typeof Deno.build.os = Deno.build.os,
): string | null {
  const home = env("HOME");
  const systemCache = (): string | undefined => {
    if (os === "windows") return env("LOCALAPPDATA");
    if (os === "darwin") return home && join(home, "Library", "Caches");
    return env("XDG_CACHE_HOME") || (home && join(home, ".cache"));
  };
  const place = folder ?? systemCache();
  return place ? join(place, "stampede", "builds") : null;
}
