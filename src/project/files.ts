/** Makes the first files of Stampede in a user's project. */
import { join, relative } from "node:path";
import { UsageError } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import { readFields, readSources, type SourceFile } from "../target/catalog.ts";
import type { Project } from "./detect.ts";

/** Returns the text of a user's first scenario file. */
export function newScenarioText(id: string): string {
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

/**
 * Adds a scenario to the text of a manifest; returns null if it is already there.
 *
 * @throws {SyntaxError} if the text is not a manifest.
 */
export function withScenario(text: string, id: string): string | null {
  const manifest = JSON.parse(text);
  const known = manifest?.scenarios ?? (manifest?.extends === undefined ? null : {});
  if (typeof known !== "object" || known === null) throw new SyntaxError("it has no scenarios");
  if (id in known) return null;
  const scenarios = { ...known, [id]: {} };
  return `${JSON.stringify({ ...manifest, scenarios }, null, 2)}\n`;
}

/** Folder of the manifest and the scenario, relative to the project. */
const FOLDER = "stampede";
const SCENARIO = "first";

/** Returns the paths of the files for a server's id, relative to the project. */
export function pathsOf(id: string): Record<"manifest" | "scenario" | "workflow", string> {
  return {
    manifest: `${FOLDER}/${id}/server.json`,
    scenario: `${FOLDER}/${SCENARIO}.js`,
    workflow: ".github/workflows/stampede.yml",
  };
}

/** Returns the files to write: a manifest, a scenario and a workflow, with their purposes. */
export function filesOf(project: Project): { path: string; what: string; text: string }[] {
  const id = idOf(project.name);
  const { manifest, scenario, workflow } = pathsOf(id);
  return [
    {
      path: manifest,
      what: "how the server is built and started",
      text: `${JSON.stringify(manifestOf(project, id), null, 2)}\n`,
    },
    { path: scenario, what: "a request, and its right response", text: newScenarioText(SCENARIO) },
    {
      path: workflow,
      what: "compares each pull request with its base",
      text: workflowText(manifest, scenario),
    },
  ];
}

/** Returns the options of the command that measures the project with these files. */
export function commandOf(project: Project): string[] {
  const { manifest, scenario } = pathsOf(idOf(project.name));
  return ["--server", manifest, "--scenario", scenario];
}

/** Returns a name as an id: `@me/My shop` is `my-shop`. */
export function idOf(name: string): string {
  const id = name.replace(/^@[^/]*\//, "").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
  return id === "" ? "server" : id;
}

function manifestOf(project: Project, id: string): object {
  const { name, language, framework, workers, takesTurns, requires, prepare, start, env } = project;
  return {
    id,
    name,
    language,
    ...(framework === null ? {} : { framework }),
    scenarios: { [SCENARIO]: {} },
    workers,
    ...(takesTurns ? { takesTurns } : {}),
    // From the manifest's folder to the project's
    sources: "../..",
    requires,
    prepare,
    start,
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

function workflowText(manifest: string, scenario: string): string {
  return `name: Stampede # is this pull request slower?
on: pull_request
permissions: { contents: read, pull-requests: write } # write: the comment
jobs:
  versus:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: OWNER/stampede@v1 # replace OWNER with the owner of the Stampede repository
        with: { server: ${manifest}, scenario: ${scenario} }
`;
}

/** Matches a path outside of the folder, at the beginning of an argument or after `=` or `,`. */
const OUTSIDE = /(^|[=,])\.\.\//;
const MANIFEST = "server.json";
const SCHEMA = new URL("../../docs/server.schema.json", import.meta.url).pathname;

/**
 * Returns the files of a new server in a folder: a copy of another server's, with a new manifest.
 *
 * @throws {UsageError} if the other server's program is outside of its folder.
 */
export async function newServerFiles(
  like: Server,
  id: string,
  folder: string,
): Promise<SourceFile[]> {
  const manifest = await readFields(join(like.folder, MANIFEST));
  const words = [...like.start, ...like.prepare.flat(), ...Object.values(like.env)];
  if (words.some((word) => OUTSIDE.test(word))) {
    throw new UsageError(
      `Cannot copy ${like.id}: its program is part of Stampede, outside of its folder; choose another --like`,
    );
  }
  const { $schema: _schema, sources: _sources, basedOn: _basedOn, ...rest } = manifest;
  const own = { $schema: relative(folder, SCHEMA), ...rest, id, name: id };
  const bytes = new TextEncoder().encode(`${JSON.stringify(own, null, 2)}\n`);
  const files = await readSources(join(like.folder, like.sources));
  return [
    ...files.filter(({ path }) => path !== MANIFEST),
    { path: MANIFEST, bytes, isExecutable: false },
  ];
}
