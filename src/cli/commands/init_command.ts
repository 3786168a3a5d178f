/** Writes the first files for a project, a server or a scenario. */
import { basename, dirname, join, relative } from "node:path";
import denoConfig from "../../../deno.json" with { type: "json" };
import { pick } from "../../experiment/select.ts";
import { Failure, FINE, messageOf, UsageError } from "../../model/errors.ts";
import { readInputFile } from "../../model/input_file.ts";
import type { Server } from "../../model/server.ts";
import { nonEmpty, oneLine, printable } from "../../model/text.ts";
import { detect, type Project } from "../../project/detect.ts";
import { writeWhole } from "../../results/store.ts";
import { readCatalog, readFields, readSources, writeSources } from "../../target/catalog.ts";
import { quoted } from "../../view/reproduce.ts";
import type { Options } from "../command.ts";
import type { Io } from "../io.ts";

export async function init(
  [folder = "."]: readonly string[],
  _options: Options,
  io: Io,
): Promise<number> {
  const root = io.path(folder);
  const info = await Deno.stat(root).catch(() => null);
  if (!info?.isDirectory) {
    const problem = info === null ? `There is no folder "${folder}"` : `"${folder}" is a file`;
    throw new UsageError(`${problem}: name the folder of your project`);
  }
  const has = (path: string): Promise<boolean> =>
    Deno.stat(join(root, path)).then(() => true, () => false);
  const read = async (path: string): Promise<string | null> =>
    await has(path) ? await readInputFile(join(root, path), "project") : null;
  const project = await detect({ name: basename(root), has, read });
  const { by, language, framework, prepare, start, doubts } = project;
  const tell = (text: string): void => io.say(printable(text));
  tell(`${basename(root)}: ${nonEmpty(language, framework).join(", ")}, detected from ${by}\n`);
  const files = filesOf(project);
  for (const { path } of files) await assertInside(root, path); // before the first write
  for (const { path, what, text } of files) {
    const isNew = await writeNew(join(root, path), path, text);
    io.out(`${isNew ? "Wrote" : "Kept the existing"} ${path} (${what})`);
  }
  const prefix = root === io.path(".") ? "" : `${folder}/`;
  const [manifest, scenario] = files.map(({ path }) => prefix + path) as [string, string];
  const own = ["--server", manifest, "--scenario", scenario];
  const commands = [["verify"], []].map((more) => quoted([...io.program, ...more, ...own]));
  const lines = [
    "",
    "Check:",
    `- the build: ${prepare.map((command) => command.join(" ")).join("; ")}`,
    `- the start: ${start.join(" ")}`,
    ...doubts.map((doubt) => `- ${doubt}`),
    "- the request in stampede/first.js: GET /, status 200",
    "- the server listens at HOST and PORT of its environment, and ends on SIGTERM",
    ...(await has(".git")
      ? []
      : ["- .github is at the top of the repository: GitHub reads workflows only there"]),
    "",
    "Then run:",
  ];
  for (const line of lines) tell(line);
  // Not wrapped, so that they can be copied
  for (const command of commands) io.out(printable(`  ${command}`));
  return FINE;
}

/** Throws a UsageError if a symbolic link in a file's path leads out of the project. */
async function assertInside(root: string, path: string): Promise<void> {
  const top = await Deno.realPath(root);
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (await Deno.lstat(join(root, folder)).then(() => false, () => true)) continue;
    const real = await Deno.realPath(join(root, folder)).catch(() => null);
    if (real !== null && `${real}/`.startsWith(`${top}/`)) return;
    throw new UsageError(`Cannot write ${path}: ${folder} is a link that leads out of the project`);
  }
}

/** Writes a file unless it exists, and returns whether it wrote it; `name` is its path in errors. */
async function writeNew(path: string, name: string, text: string): Promise<boolean> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { createNew: true });
    return true;
  } catch (error) {
    // `mkdir` throws the same error if a file is in the way of a folder
    const isThere = await Deno.lstat(path).then(() => true, () => false);
    if (error instanceof Deno.errors.AlreadyExists && isThere) return false;
    throw new Failure(`Cannot write ${name}: ${messageOf(error)}`);
  }
}

function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Name of the npm package. */
export const PACKAGE = "stampede-bench";
const ACTION = new URL("../../../action.yml", import.meta.url);
const SCENARIO = "first";

/** Returns the manifest, scenario, workflow and action, with paths relative to the project. */
export function filesOf(project: Project): { path: string; what: string; text: string }[] {
  const { name, language, framework, workers, takesTurns, requires, prepare, start, env } = project;
  const id = idOf(name);
  const manifest = `stampede/${id}/server.json`;
  const scenario = `stampede/${SCENARIO}.js`;
  const action = ".github/actions/stampede/action.yml";
  const text = jsonFile({
    id,
    name,
    language,
    framework: framework ?? undefined,
    scenarios: { [SCENARIO]: {} },
    workers,
    takesTurns: takesTurns || undefined,
    sources: "../..", // from the manifest's folder to the project's
    requires,
    prepare,
    start,
    env: Object.keys(env).length === 0 ? undefined : env,
  });
  return [
    { path: manifest, what: "how the server is built and started", text },
    { path: scenario, what: "a request, and its right response", text: scenarioText(SCENARIO) },
    {
      path: ".github/workflows/stampede.yml",
      what: "compares each pull request with its base",
      text: workflowText(manifest, scenario, action),
    },
    {
      path: action,
      what: "what the workflow runs, in this version of Stampede",
      text: actionText(),
    },
  ];
}

/** Returns a name as an id: `@me/My shop` is `my-shop`. */
function idOf(name: string): string {
  const id = name.replace(/^@[^/]*\//, "").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
  return id === "" ? "server" : id;
}

/** Returns the composite action, which runs the npm package in the version of this program. */
function actionText(): string {
  const run = `run: npx -y ${PACKAGE}@${denoConfig.version} action`;
  return Deno.readTextFileSync(ACTION).replace(/(?<=^ +)run: .*$/m, run);
}

function workflowText(manifest: string, scenario: string, action: string): string {
  return `name: Stampede # is this pull request slower?
on: pull_request
permissions: { contents: read, pull-requests: write } # write: the comment
jobs:
  versus:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: ./${dirname(action)}
        with: { server: ${manifest}, scenario: ${scenario} }
`;
}

function scenarioText(id: string): string {
  return `// A typical request, and its right response.
export default {
  id: "${id}",
  title: "The first page",
  request: { path: "/" },
  // Be strict: an error means that the response is wrong.
  expect({ status, text }) {
    if (status !== 200) throw new Error(\`status \${status}: \${text.slice(0, 80)}\`);
  },
  // Under load the body must stay the same, if it was the same twice before.
  underLoad: "stable",
};
`;
}

/** Writes a new server or scenario that passes `verify` at once, unless it exists. */
export async function create(
  [what = "", id = "", ...more]: readonly string[],
  { like, server = [] }: Options,
  io: Io,
): Promise<number> {
  if (!["server", "scenario"].includes(what) || more.length > 0) {
    throw new UsageError(
      "Cannot create that: use stampede new server ID, or stampede new scenario ID",
    );
  }
  if (!/^[a-z][a-z0-9-]*$/.test(id)) {
    const given = oneLine(id).slice(0, 40);
    throw new UsageError(
      `Cannot call a ${what} "${given}": use lower-case letters, digits and hyphens, and begin with a letter`,
    );
  }
  const own =
    await (what === "server" ? createServer(id, like, io) : createScenario(id, server, io));
  io.out(`\nThen run:\n  ${quoted([...io.program, "verify", ...own])}`);
  io.out(`  ${quoted([...io.program, ...own])}`);
  return FINE;
}

const MANIFEST = "server.json";
const SCHEMA = new URL("../../../docs/server.schema.json", import.meta.url).pathname;

/** Copies a server of the suite with a new manifest, and returns the options that name the copy. */
async function createServer(id: string, likeId: string, io: Io): Promise<string[]> {
  const folder = io.path(id);
  const [like] = pick("server", [likeId], [...(await readCatalog()).values()]) as [Server];
  const manifest = await readFields(join(like.folder, MANIFEST));
  const words = [...like.start, ...like.prepare.flat(), ...Object.values(like.env)];
  // A path outside of the folder, at the beginning of an argument or after `=` or `,`
  if (words.some((word) => /(^|[=,])\.\.\//.test(word))) {
    throw new UsageError(
      `Cannot copy ${likeId}: its program is part of Stampede, outside of its folder; choose another --like`,
    );
  }
  const { $schema: _schema, sources: _sources, basedOn: _basedOn, ...rest } = manifest;
  // The npm package is in a cache folder, whose path changes with the version
  const schema = io.env("STAMPEDE_PROGRAM") ? {} : { $schema: relative(folder, SCHEMA) };
  const own = { ...schema, ...rest, id, name: id };
  const sources = await readSources(join(like.folder, like.sources));
  await Deno.mkdir(folder).catch((error) => {
    throw error instanceof Deno.errors.AlreadyExists
      ? new UsageError(`Cannot create the server ${id}: ${id} already exists`)
      : new Failure(`Cannot create the folder ${id}: ${error.message}`);
  });
  const bytes = new TextEncoder().encode(jsonFile(own));
  const copied = sources.filter(({ path }) => path !== MANIFEST);
  await writeSources([...copied, { path: MANIFEST, bytes, isExecutable: false }], folder);
  io.out(`Wrote ${id}/ (${copied.length + 1} files, a copy of ${likeId})`);
  io.out(`Check ${id}/server.json: its build, its start, and its scenarios`);
  return ["--server", `${id}/server.json`];
}

/** Writes a scenario, adds it to manifests, and returns the options that name them. */
async function createScenario(id: string, server: readonly string[], io: Io): Promise<string[]> {
  const file = `${id}.js`;
  const changed = await Promise.all(server.map(async (path) => {
    try {
      return [path, withScenario(await readInputFile(io.path(path), "manifest"), id)] as const;
    } catch (error) {
      throw new UsageError(`Cannot add ${id} to the manifest ${path}: ${messageOf(error)}`);
    }
  }));
  await Deno.writeTextFile(io.path(file), scenarioText(id), { createNew: true }).catch((error) => {
    throw error instanceof Deno.errors.AlreadyExists
      ? new UsageError(`Cannot write the scenario ${id}: ${file} already exists`)
      : new Failure(`Cannot write ${file}: ${error.message}`);
  });
  io.out(`Wrote ${file} (a request, and the check of its response)`);
  for (const [path, text] of changed) {
    if (text === null) continue;
    await writeWhole(io.path(path), text);
    io.out(`Changed ${path} (its server implements ${id})`);
  }
  if (server.length === 0) io.out(`Add "${id}": {} to the scenarios of your server's manifest`);
  const servers = server.length === 0 ? ["server.json"] : server;
  return ["--scenario", file, ...servers.flatMap((path) => ["--server", path])];
}

/** Adds a scenario to the text of a manifest; returns null if it is already there. */
function withScenario(text: string, id: string): string | null {
  const manifest = JSON.parse(text);
  const known = manifest?.scenarios ?? (manifest?.extends === undefined ? null : {});
  if (typeof known !== "object" || known === null) throw new SyntaxError("it has no scenarios");
  return id in known ? null : jsonFile({ ...manifest, scenarios: { ...known, [id]: {} } });
}
