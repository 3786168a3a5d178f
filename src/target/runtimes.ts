/** Releases of Deno, Node.js and Bun from npm. Servers can run on them instead of the installed runtime. */
import { basename, join } from "node:path";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import { EACH, type Release, RUNTIMES, type Server } from "../model/server.ts";
import { readText } from "../process/files.ts";
import { type BuildContext, buildFrom } from "./build.ts";

/**
 * The npm packages that contain only a runtime's program for one system, and the path of the program.
 * The packages `deno`, `node` and `bun` depend on them, but need an install script.
 */
const PACKAGES: Readonly<Record<Release["runtime"], Readonly<Record<System | "file", string>>>> = {
  deno: {
    linux: "@deno/linux-{arch}-glibc",
    darwin: "@deno/darwin-{arch}",
    windows: "@deno/win32-{arch}",
    file: "deno",
  },
  node: {
    linux: "node-linux-{arch}",
    darwin: "node-darwin-{arch}",
    windows: "node-win-{arch}",
    file: "bin/node",
  },
  bun: {
    linux: "@oven/bun-linux-{arch}",
    darwin: "@oven/bun-darwin-{arch}",
    windows: "@oven/bun-windows-{arch}",
    file: "bin/bun",
  },
};
type System = "linux" | "darwin" | "windows";

const DEFAULT_REGISTRY = "https://registry.npmjs.org";
/** Time limit of a request to the registry, in milliseconds. */
const TIMEOUT_MS = 30_000;
/** Matches a release or the beginning of its version: `deno@2.8.3`, `node@22`. */
const RELEASE = new RegExp(`^(${RUNTIMES.join("|")})@v?(\\d+(?:\\.\\d+){0,2})$`);

/** Returns the value of an environment variable. */
type Env = (name: string) => string | undefined;
const ofProcess: Env = (name) => Deno.env.get(name);

/** Returns whether a text names a release of a runtime, such as `deno@2.8.3` or `node@22`. */
export function isRelease(text: string): boolean {
  return RELEASE.test(text);
}

/**
 * Returns the newest release with a version such as `deno@2.8.3`, `deno@2.8` or `node@22`. Throws a
 * `UsageError` if there is none, and a `Failure` if it must ask the registry and cannot.
 */
export async function findRelease(text: string, env: Env = ofProcess): Promise<Release> {
  const [, name, version = ""] = RELEASE.exec(text) ?? [];
  const runtime = RUNTIMES.find((one) => one === name);
  if (runtime === undefined) {
    throw new UsageError(
      `Cannot read the release "${text}": write it as deno@2.8.3, node@22 or bun@1.4`,
    );
  }
  const isWhole = version.split(".").length === 3;
  let known: readonly string[];
  try {
    known = await versionsOf(runtime, env);
  } catch (error) {
    if (isWhole) return { runtime, version }; // it may be in the cache
    throw error;
  }
  const found = known.findLast((one) => one === version || one.startsWith(`${version}.`));
  if (found !== undefined) return { runtime, version: found };
  throw new UsageError(
    `There is no release ${text} for this machine on npm: the newest is ${runtime}@${known.at(-1)}`,
  );
}

/** Returns the versions of a runtime for this machine, the oldest first, without pre-releases. */
export async function versionsOf(
  runtime: Release["runtime"],
  env: Env = ofProcess,
): Promise<string[]> {
  const name = packageOf(runtime);
  const registry = registryOf(name, env);
  const url = `${registry.replace(/\/+$/, "")}/${name.replace("/", "%2f")}`;
  let versions: Readonly<Record<string, unknown>>;
  try {
    const response = await fetch(url, {
      headers: { accept: "application/vnd.npm.install-v1+json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
    versions = (await response.json()).versions;
  } catch (error) {
    throw new Failure(
      `Cannot read the releases of ${runtime} from ${URL.parse(url)?.host ?? url}: ${
        messageOf(error)
      }. Is this machine online? For another registry, set NPM_CONFIG_REGISTRY`,
    );
  }
  return Object.keys(versions).filter((version) => /^\d+\.\d+\.\d+$/.test(version))
    .sort(compareVersions);
}

/**
 * Returns the newest version of each major or minor version, or every patch, from the first to the last
 * one, both included. `from` and `to` may be beginnings of versions; without `to`, up to the newest.
 */
export function newestOfEach(
  versions: readonly string[],
  each: typeof EACH[number],
  from: string,
  to?: string,
): string[] {
  const parts = EACH.indexOf(each) + 1;
  const isAt = (version: string, limit: string): boolean =>
    version === limit || version.startsWith(`${limit}.`);
  const inRange = versions.filter((version) =>
    (isAt(version, from) || compareVersions(version, from) > 0) &&
    (to === undefined || isAt(version, to) || compareVersions(version, to) < 0)
  );
  const groups = Map.groupBy(inRange, (version) => version.split(".").slice(0, parts).join("."));
  return [...groups.values()].flatMap((group) => group.at(-1) ?? []);
}

/** Compares versions such as 2.8.3 by their numbers, for `sort`. */
export function compareVersions(a: string, b: string): number {
  const others = b.split(".");
  const differences = a.split(".").map((part, i) => Number(part) - Number(others[i] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** Returns the address of the registry of a package, from the variables and files that Deno reads. */
export function registryOf(name: string, env: Env): string {
  const set = env("NPM_CONFIG_REGISTRY") || env("npm_config_registry");
  if (set) return set;
  const home = env("HOME") ?? env("USERPROFILE");
  const settings = (home && readText(join(home, ".npmrc"))) || "";
  const scope = name.match(/^@[^/]+/)?.[0];
  const [ofScope, ofAll] = [`${scope}:registry`, "registry"].map((key) =>
    settings.split("\n").map((line) => line.split("=", 2).map((part) => part.trim()))
      .find(([found]) => found === key)?.[1]
  );
  return ofScope || ofAll || DEFAULT_REGISTRY;
}

function packageOf(runtime: Release["runtime"]): string {
  const { os, arch } = Deno.build;
  const pattern = PACKAGES[runtime][os as System];
  if (pattern === undefined) throw new Failure(`There is no ${runtime} for ${os} on npm`);
  const arm = runtime === "bun" ? "aarch64" : "arm64";
  return pattern.replace("{arch}", arch === "x86_64" ? "x64" : arm);
}

/** Returns a server that runs on a release. Throws a `UsageError` if another program starts it. */
export function onRelease(server: Server, release: Release): Server {
  const { attached, name, start: [program = ""], requires } = server;
  if (attached !== null || programOf(program) !== release.runtime) {
    const how = attached === null ? `its manifest starts it with ${program}` : "it runs already";
    throw new UsageError(`Cannot run ${name} on ${nameOf(release)}: ${how}`);
  }
  // The installed runtime may be missing or older
  const others = requires.filter(({ command: [required = ""] }) =>
    programOf(required) !== release.runtime
  );
  return { ...server, release, requires: others };
}

function programOf(path: string): string {
  return basename(path).replace(/\.exe$/i, "");
}

/** Returns the name of a release: `deno@2.8.3`. */
export function nameOf({ runtime, version }: Release): string {
  return `${runtime}@${version}`;
}

/** Fetches the release of a server unless it is in the cache; returns the server that it starts. */
export async function provideRelease(server: Server, context: BuildContext): Promise<Server> {
  const { release } = server;
  if (release === undefined) return server;
  const { runtime, version } = release;
  const name = packageOf(runtime);
  const manifest = JSON.stringify({ dependencies: { [name]: version } });
  const sources = [{
    path: "package.json",
    bytes: new TextEncoder().encode(manifest),
    isExecutable: false,
  }];
  const prepare = [["deno", "install", "--quiet", "--node-modules-dir=manual"]];
  const program = { id: runtime, name: nameOf(release), prepare };
  const folder = await buildFrom(sources, `${runtime}-${version}`, null, program, context);
  const suffix = Deno.build.os === "windows" ? ".exe" : "";
  const path = join(folder, "node_modules", name, PACKAGES[runtime].file + suffix);
  const replaced = ([first = "", ...rest]: readonly string[]): string[] => [
    programOf(first) === runtime ? path : first,
    ...rest,
  ];
  return {
    ...server,
    start: replaced(server.start),
    versions: Object.fromEntries(
      Object.entries(server.versions).map(([name, command]) => [name, replaced(command)]),
    ),
    // Each release of Deno empties the caches of others
    ...(runtime === "deno" && { env: { ...server.env, DENO_DIR: await cachesIn(folder) } }),
  };
}

/** Folders of Deno's cache with downloaded modules, which all releases can use. */
const SHARED = ["npm", "remote"];

/** Makes a cache folder for a release of Deno. It has the modules that are already downloaded. */
async function cachesIn(folder: string): Promise<string> {
  const caches = join(folder, "deno_dir");
  await Deno.mkdir(caches, { recursive: true });
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(stdout));
  for (const name of SHARED) {
    await Deno.mkdir(join(denoDir, name), { recursive: true });
    await Deno.symlink(join(denoDir, name), join(caches, name)).catch((error) => {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    });
  }
  return caches;
}
