/** Derives how a project's server is built and started, from the files of its language. */
import { parse } from "smol-toml";
import { messageOf, UsageError } from "../model/errors.ts";
import type { Manifest, Requirement } from "../model/server.ts";
import { oneLine } from "../model/text.ts";

/** Fields of a manifest that are derived from a project's files. */
export interface Project
  extends
    Pick<Manifest, "name" | "language" | "framework" | "workers" | "takesTurns">,
    Pick<Manifest, "requires" | "prepare" | "start" | "env"> {
  /** Name of the file from which the project was read. */
  readonly by: string;
  /** Assumptions that the user must check. */
  readonly doubts: readonly string[];
}

interface Folder {
  /** Name of the folder, without its path. */
  readonly name: string;
  /** Returns the text of a file; null if it does not exist. */
  read(path: string): Promise<string | null>;
  has(path: string): Promise<boolean>;
}

/** What a reader derives; by default the folder's name, no variables and no doubts. */
type Findings =
  & Omit<Project, "by" | "name" | "env" | "doubts">
  & { readonly name: string | undefined }
  & Partial<Pick<Project, "env" | "doubts">>;

type Reader = (text: string, folder: Folder, file: string) => Findings | Promise<Findings>;

/** Readers of project files. package.json is last: many projects have one only for tools. */
const READERS: readonly (readonly [files: readonly [string, ...string[]], read: Reader])[] = [
  [["go.mod"], readGo],
  [["Cargo.toml"], readRust],
  [["pom.xml"], readMaven],
  [["deno.json", "deno.jsonc"], readDeno],
  [["pyproject.toml", "requirements.txt"], readPython],
  [["package.json"], readPackage],
];

/** Derives a project from a folder; throws UsageError if it has none or it is unreadable. */
export async function detect(folder: Folder): Promise<Project> {
  for (const [files, read] of READERS) {
    for (const by of files) {
      try {
        const text = await folder.read(by);
        if (text === null) continue;
        const found = await read(text, folder, by);
        const name: unknown = found.name ?? folder.name;
        if (typeof name !== "string") throw new TypeError("its name is not text");
        if (name.length > 214) { // npm's limit; the id becomes a folder name
          throw new TypeError(`its name has ${name.length} characters; the maximum is 214`);
        }
        return { env: {}, doubts: [], ...found, by, name };
      } catch (error) {
        throw new UsageError(`Cannot read ${by}: ${oneLine(messageOf(error))}`);
      }
    }
  }
  const names = READERS.map(([[file]]) => file).join(", ");
  throw new UsageError(
    `Cannot detect the kind of project in ${folder.name}: it has none of ${names}; docs/adding_a_server.md explains server.json`,
  );
}

/** Returns the requirement of a program in any version, with advice for people who lack it. */
function need(command: string, install: string): Requirement {
  return { command: command.split(" "), minimum: "0", install };
}

/** Returns the framework whose package is in a text or in a list of packages; null without one. */
function frameworkOf(
  frameworks: Readonly<Record<string, string>>,
  used: string | readonly string[],
): string | null {
  return Object.entries(frameworks).find(([name]) => used.includes(name))?.[1] ?? null;
}

async function readGo(text: string, folder: Folder): Promise<Findings> {
  const frameworks = {
    "gin-gonic/gin": "Gin",
    "gofiber/fiber": "Fiber",
    "labstack/echo": "Echo",
    "go-chi/chi": "chi",
  };
  return {
    name: /^module\s+(\S+)/m.exec(text)?.[1]?.split("/").at(-1),
    language: "Go",
    framework: frameworkOf(frameworks, text),
    workers: "configurable",
    takesTurns: true,
    requires: [need("go version", "install Go, https://go.dev")],
    prepare: [["go", "build", "-o", "stampede-server", "."]],
    start: ["./stampede-server"],
    env: { GOMAXPROCS: "{WORKERS}" },
    doubts: await folder.has("main.go")
      ? []
      : ["which package is the program: there is no main.go next to go.mod"],
  };
}

async function readRust(text: string, folder: Folder): Promise<Findings> {
  const { package: own, dependencies = {} } = parse(text) as {
    readonly package?: { readonly name?: string };
    readonly dependencies?: Readonly<Record<string, unknown>>;
  };
  const frameworks = { axum: "axum", "actix-web": "Actix Web", rocket: "Rocket", warp: "warp" };
  const name = own?.name;
  const isLocked = await folder.has("Cargo.lock");
  return {
    name,
    language: "Rust",
    framework: frameworkOf(frameworks, Object.keys(dependencies)),
    workers: "unlimited",
    takesTurns: false,
    requires: [need("cargo --version", "install Rust, https://rustup.rs")],
    prepare: [["cargo", "build", "--release", ...(isLocked ? ["--locked"] : [])]],
    start: [`./target/release/${name ?? folder.name}`],
    doubts: [
      ...(name === undefined
        ? ["which program of the workspace to start: Cargo.toml has no [package]"]
        : []),
      'how many threads it uses: with "workers": "unlimited" it is not ranked against servers with a number',
    ],
  };
}

function readMaven(text: string, folder: Folder): Findings {
  const own = text.replace(/<parent>[^]*?<\/parent>/, "").replace(/<dependencies>[^]*/, "");
  const id = /<artifactId>\s*([^<\s]+)/.exec(own)?.[1];
  const version = /<version>\s*([^<\s]+)/.exec(own)?.[1];
  const framework = frameworkOf({ "spring-boot": "Spring Boot", "io.quarkus": "Quarkus" }, text);
  const jar = `target/${id ?? folder.name}-${version ?? "1.0"}.jar`;
  return {
    name: id,
    language: "Java",
    framework,
    workers: "configurable",
    takesTurns: true,
    requires: [
      need("java --version", "install a JDK"),
      need("mvn --version", "install Maven, https://maven.apache.org"),
    ],
    prepare: [["mvn", "-q", "-DskipTests", "package"]],
    start: ["java", "-XX:ActiveProcessorCount={WORKERS}", "-jar", jar],
    env: framework === "Spring Boot" ? { SERVER_PORT: "{PORT}", SERVER_ADDRESS: "{HOST}" } : {},
    doubts: id === undefined || version === undefined
      ? ["the name of its jar: pom.xml sets no artifactId or version"]
      : [],
  };
}

/** Removes comments and trailing commas from JSON, except within strings. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/.*$|\/\*[^]*?\*\//gm, (_all, string) => string ?? "")
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_all, string) => string ?? "");
}

function readDeno(text: string, _folder: Folder, file: string): Findings {
  const { name, tasks = {} } = JSON.parse(withoutComments(text)) as {
    readonly name?: string;
    readonly tasks?: Readonly<Record<string, unknown>>;
  };
  const task = ["start", "serve"].find((one) => one in tasks);
  const frameworks = { "npm:hono": "Hono", "@hono/hono": "Hono", "@oak/oak": "Oak" };
  const permissions = ["--allow-net", "--allow-env", "--allow-read"];
  return {
    name,
    language: "TypeScript",
    framework: frameworkOf(frameworks, text),
    workers: "one",
    takesTurns: false,
    requires: [need("deno --version", "install Deno, https://deno.com")],
    ...(task === undefined
      ? {
        prepare: [["deno", "install", "--entrypoint", "main.ts"]],
        start: ["deno", "run", "--cached-only", ...permissions, "main.ts"],
        doubts: [`whether main.ts starts it: ${file} has no task "start" or "serve"`],
      }
      : { prepare: [["deno", "install"]], start: ["deno", "task", task] }),
  };
}

/** Python's arguments for each framework with an application named `app` in `main.py`. */
const PYTHON_STARTS: Readonly<Record<string, string>> = {
  FastAPI: "-m uvicorn main:app --host {HOST} --port {PORT}",
  Flask: "-m flask --app main run --host {HOST} --port {PORT}",
  Django: "manage.py runserver --noreload {HOST}:{PORT}",
};

async function readPython(text: string, folder: Folder, file: string): Promise<Findings> {
  const isProject = file === "pyproject.toml";
  const requirements = isProject ? await folder.read("requirements.txt") : text;
  const { project } = (isProject ? parse(text) : {}) as { readonly project?: { name?: string } };
  const needs = `${text}\n${requirements ?? ""}`.toLowerCase();
  const framework = Object.keys(PYTHON_STARTS).find((name) => needs.includes(name.toLowerCase()));
  const python = ".venv/bin/python";
  const packages = requirements === null ? ["."] : ["-r", "requirements.txt"];
  return {
    name: project?.name,
    language: "Python",
    framework: framework ?? null,
    workers: "one",
    takesTurns: true,
    requires: [need("python3 --version", "install Python, https://python.org")],
    prepare: [
      ["python3", "-m", "venv", ".venv"],
      [python, "-m", "pip", "install", "--quiet", ...packages],
    ],
    start: [python, ...(PYTHON_STARTS[framework ?? ""] ?? "main.py").split(" ")],
    doubts: [
      framework === undefined
        ? "whether main.py starts it"
        : "whether the application is app in main.py, or manage.py exists",
    ],
  };
}

/** Install command for each lockfile. */
const INSTALLS: Readonly<Record<string, string>> = {
  "package-lock.json": "npm ci",
  "pnpm-lock.yaml": "pnpm install --frozen-lockfile",
  "yarn.lock": "yarn install --frozen-lockfile",
  "bun.lock": "bun install --frozen-lockfile",
  "bun.lockb": "bun install --frozen-lockfile",
};

/** Matches a command of Node.js without a shell's characters, watching or an inspector. */
const NODE = /^node( (?!--(watch|inspect))[\w@./:=,+-]+)+$/;

/** Returns the command of the script `start` if it is only Node.js, which can be profiled; otherwise null. */
function nodeCommand(scripts: Readonly<Record<string, unknown>>): readonly string[] | null {
  const command = String(scripts.start).trim().replaceAll(/\s+/g, " ");
  const isAlone = scripts.prestart === undefined && scripts.poststart === undefined;
  return isAlone && NODE.test(command) ? command.split(" ") : null;
}

async function readPackage(text: string, folder: Folder): Promise<Findings> {
  const { name, main = "index.js", scripts = {}, dependencies = {} } = JSON.parse(text) as {
    readonly name?: string;
    readonly main?: string;
    readonly scripts?: Readonly<Record<string, string>>;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  const frameworks = {
    "@nestjs/core": "NestJS",
    fastify: "Fastify",
    hono: "Hono",
    koa: "Koa",
    elysia: "Elysia",
    express: "Express",
  };
  const has = await Promise.all(Object.keys(INSTALLS).map((lockfile) => folder.has(lockfile)));
  const install = Object.values(INSTALLS).find((_install, i) => has[i]) ?? "npm install";
  const [program = ""] = install.split(" ");
  const build = scripts.build === undefined ? [] : [[program, "run", "build"]];
  const hasStart = scripts.start !== undefined;
  const direct = program === "bun" ? null : nodeCommand(scripts);
  return {
    name,
    language: "JavaScript",
    framework: frameworkOf(frameworks, Object.keys(dependencies)),
    workers: "one",
    takesTurns: false,
    requires: program === "bun" ? [need("bun --version", "install Bun, https://bun.sh")] : [
      need("node --version", "install Node.js, https://nodejs.org"),
      ...(program === "npm" ? [] : [need(`${program} --version`, `install ${program}`)]),
    ],
    prepare: [install.split(" "), ...build],
    start: direct ??
      (hasStart ? [program, "run", "start"] : [program === "bun" ? "bun" : "node", main]),
    env: { NODE_ENV: "production" },
    doubts: hasStart ? [] : [`whether ${main} starts it: package.json has no script "start"`],
  };
}
