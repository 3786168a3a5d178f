// deno-lint-ignore-file no-console -- standard output is its interface
/**
 * Builds the npm package: `deno task package [FOLDER]` writes `stampede-bench-VERSION.tgz` to a folder, by
 * default `dist/`. The package contains the launcher, the manual page, and the sources without tests.
 */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import denoConfig from "../deno.json" with { type: "json" };
import { PACKAGE } from "../src/cli/commands/init_command.ts";
import { Failure, messageOf } from "../src/model/errors.ts";
import { manPage } from "./man_page.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Files and folders of the repository that Stampede reads when it runs. */
const SOURCES = [
  ".env.example",
  "action.yml",
  "bench.ts",
  "fetch.ts",
  "hello.html",
  "docs/*.schema.json",
  "peers",
  "presets",
  "public",
  "scenarios",
  "src",
];
/** Tests, and a file that npm leaves out. */
const LEFT_OUT = [":!*_test.ts", ":!**/testdata/**", ":!**/.gitignore"];
/** Files that npm shows or that a license asks for. */
const PAGES = ["README.md", "LICENSE", "CHANGELOG.md"];

/**
 * Builds the package in a folder; returns the tarball's path. It needs git, npm and the registry; throws a
 * Failure if one of them fails.
 */
export async function build(to: string, version = denoConfig.version): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "stampede-package-" });
  try {
    const listed = await run("git", ["ls-files", "-z", "--", ...SOURCES, ...LEFT_OUT], ROOT);
    const files = listed.split("\0").filter((path) => path !== "");
    const source = join(folder, "source");
    for (const path of files) await copy(join(ROOT, path), join(source, path));
    await writeDependencies(source, files, version);
    for (const path of PAGES) await copy(join(ROOT, path), join(folder, path));
    await copy(join(ROOT, "package", "launcher.cjs"), join(folder, "bin", "stampede.cjs"));
    await Deno.chmod(join(folder, "bin", "stampede.cjs"), 0o755);
    await Deno.mkdir(join(folder, "man"));
    const date = (await run("git", ["log", "-1", "--format=%cs"], ROOT)).trim();
    await Deno.writeTextFile(join(folder, "man", "stampede.1"), manPage({ version, date }));
    const content = await hashOf(source, [...files, "deno.json", "deno.lock"]);
    await writeJson(join(folder, "package.json"), manifest(version, content));
    await Deno.mkdir(to, { recursive: true });
    const packed = await run("npm", ["pack", "--json", "--pack-destination", to], folder);
    const [{ filename, files: shipped }] = JSON.parse(packed) as [
      { filename: string; files: { path: string }[] },
    ];
    const paths = new Set(shipped.map(({ path }) => path));
    const missing = files.filter((path) => !paths.has(`source/${path}`));
    if (missing.length > 0) throw new Failure(`npm leaves out ${missing.join(", ")}: rename them`);
    return join(to, filename);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the package.json of the package. */
function manifest(version: string, content: string): object {
  const [server, name] = [Deno.env.get("GITHUB_SERVER_URL"), Deno.env.get("GITHUB_REPOSITORY")];
  // npm accepts the provenance of a package only if it names the repository
  const repository = server && name ? `${server}/${name}` : null;
  return {
    name: PACKAGE,
    version,
    description: "Benchmarks HTTP servers and says how far to trust each figure",
    keywords: ["benchmark", "http", "load-testing", "performance", "postgresql", "deno"],
    license: denoConfig.license,
    ...(repository === null ? {} : { repository: { type: "git", url: `git+${repository}.git` } }),
    bin: { stampede: "bin/stampede.cjs" },
    man: "man/stampede.1",
    files: ["bin", "man", "source", "CHANGELOG.md"],
    engines: { node: ">=20" },
    dependencies: { deno: DENO },
    stampede: { content },
  };
}

/** The version of Deno that runs in CI. */
const DENO = "2.9.6";

/** Writes deno.json and deno.lock with those npm packages that the given files import. */
async function writeDependencies(
  source: string,
  files: readonly string[],
  version: string,
): Promise<void> {
  const scripts = files.filter((path) => path.endsWith(".ts"));
  const texts = await Promise.all(scripts.map((path) => Deno.readTextFile(join(source, path))));
  const isImported = (name: string): boolean =>
    texts.some((text) => text.includes(`"${name}"`) || text.includes(`"${name}/`));
  const { license, nodeModulesDir, imports, allowScripts, compilerOptions } = denoConfig;
  await writeJson(join(source, "deno.json"), {
    version,
    license,
    nodeModulesDir,
    imports: Object.fromEntries(Object.entries(imports).filter(([name]) => isImported(name))),
    allowScripts,
    compilerOptions,
  });
  await copy(join(ROOT, "deno.lock"), join(source, "deno.lock"));
  await run(Deno.execPath(), ["install", "--quiet", "--lockfile-only"], source);
}

/** Returns the beginning of the SHA-256 of files with their paths. */
async function hashOf(folder: string, paths: readonly string[]): Promise<string> {
  const encoder = new TextEncoder();
  const parts: BlobPart[] = [];
  for (const path of paths) {
    parts.push(encoder.encode(`${path}\0`), await Deno.readFile(join(folder, path)));
  }
  const bytes = await new Blob(parts).arrayBuffer();
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(0, 12);
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.copyFile(from, to);
}

async function writeJson(path: string, value: object): Promise<void> {
  await Deno.writeTextFile(path, JSON.stringify(value, null, 2) + "\n");
}

/** Runs a program and returns its standard output; throws a Failure if it fails. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd })
    .output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (success) return out ?? "";
  throw new Failure(`Cannot build the package: ${program} ${args[0]} failed: ${err?.trim()}`);
}

if (import.meta.main) {
  try {
    const [folder = join(ROOT, "dist")] = Deno.args;
    console.log(`Built ${await build(resolve(folder))}`);
  } catch (error) {
    console.error(messageOf(error));
    Deno.exit(1);
  }
}
