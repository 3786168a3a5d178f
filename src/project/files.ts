/** Makes the first files of Stampede in a user's project. */
import { newScenarioText } from "./new_scenario.ts";
import type { Project } from "./project.ts";

/** A file to write. */
export interface ProjectFile {
  /** Relative to the project. */
  readonly path: string;
  /** Its purpose, in a few words. */
  readonly what: string;
  readonly text: string;
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

/** Returns the manifest, a scenario and a workflow. */
export function filesOf(project: Project): ProjectFile[] {
  const id = idOf(project.name);
  const { manifest, scenario, workflow } = pathsOf(id);
  return [
    {
      path: manifest,
      what: "how the server is built and started",
      text: `${JSON.stringify(manifestOf(project, id), null, 2)}\n`,
    },
    {
      path: scenario,
      what: "a request, and its right response",
      text: newScenarioText(SCENARIO),
    },
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
