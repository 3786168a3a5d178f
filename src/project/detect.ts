/**
 * Reads projects in Go, Rust and Java. Reads projects for Node.js, Bun and Deno. Reads projects in
 * Python.
 */

import { parse } from "smol-toml";
import { messageOf, UsageError } from "../model/errors.ts";
import { oneLine } from "../model/text.ts";
import { type Folder, frameworkOf, need, type Project } from "./project.ts";

/** Reads a project with a go.mod; null without one. */
async function readGo(folder: Folder): Promise<Project | null> {
  const text = await folder.read("go.mod");
  if (text === null) return null;
  const module = /^module\s+(\S+)/m.exec(text)?.[1] ?? folder.name;
  const isMain = await folder.has("main.go");
  const packages = ["gin-gonic/gin", "gofiber/fiber", "labstack/echo", "go-chi/chi"];
  return {
    by: "go.mod",
    name: module.split("/").at(-1) ?? folder.name,
    language: "Go",
    framework: frameworkOf(
      { gin: "Gin", fiber: "Fiber", echo: "Echo", chi: "chi" },
      packages.filter((one) => text.includes(one)).map((one) => one.split("/")[1] ?? ""),
    ),
    workers: "configurable",
    takesTurns: true,
    requires: [need(["go", "version"], "install Go, https://go.dev")],
    prepare: [["go", "build", "-o", "stampede-server", "."]],
    start: ["./stampede-server"],
    env: { GOMAXPROCS: "{WORKERS}" },
    doubts: isMain ? [] : ["which package is the program: there is no main.go next to go.mod"],
  };
}

/** Reads a project with a Cargo.toml; null without one. */
async function readRust(folder: Folder): Promise<Project | null> {
  const text = await folder.read("Cargo.toml");
  if (text === null) return null;
  const { package: own, dependencies = {} } = parse(text) as {
    readonly package?: { readonly name?: string };
    readonly dependencies?: Readonly<Record<string, unknown>>;
  };
  const name = own?.name;
  const isLocked = await folder.has("Cargo.lock");
  return {
    by: "Cargo.toml",
    name: name ?? folder.name,
    language: "Rust",
    framework: frameworkOf(
      { axum: "axum", "actix-web": "Actix Web", rocket: "Rocket", warp: "warp" },
      Object.keys(dependencies),
    ),
    workers: "unlimited",
    takesTurns: false,
    requires: [need(["cargo", "--version"], "install Rust, https://rustup.rs")],
    prepare: [["cargo", "build", "--release", ...(isLocked ? ["--locked"] : [])]],
    start: [`./target/release/${name ?? folder.name}`],
    env: {},
    doubts: [
      ...(name === undefined
        ? ["which program of the workspace to start: Cargo.toml has no [package]"]
        : []),
      'how many threads it uses: with "workers": "unlimited" it is not ranked against servers with a number',
    ],
  };
}

/** Reads a project with a pom.xml; null without one. */
async function readMaven(folder: Folder): Promise<Project | null> {
  const text = await folder.read("pom.xml");
  if (text === null) return null;
  const own = text.replace(/<parent>[^]*?<\/parent>/, "").replace(/<dependencies>[^]*/, "");
  const id = /<artifactId>\s*([^<\s]+)/.exec(own)?.[1];
  const version = /<version>\s*([^<\s]+)/.exec(own)?.[1];
  const isSpring = text.includes("spring-boot");
  return {
    by: "pom.xml",
    name: id ?? folder.name,
    language: "Java",
    framework: isSpring ? "Spring Boot" : text.includes("io.quarkus") ? "Quarkus" : null,
    workers: "configurable",
    takesTurns: true,
    requires: [
      need(["java", "--version"], "install a JDK"),
      need(["mvn", "--version"], "install Maven, https://maven.apache.org"),
    ],
    prepare: [["mvn", "-q", "-DskipTests", "package"]],
    start: [
      "java",
      "-XX:ActiveProcessorCount={WORKERS}",
      "-jar",
      `target/${id ?? folder.name}-${version ?? "1.0"}.jar`,
    ],
    env: isSpring ? { SERVER_PORT: "{PORT}", SERVER_ADDRESS: "{HOST}" } : {},
    doubts: id === undefined || version === undefined
      ? ["the name of its jar: pom.xml sets no artifactId or version"]
      : [],
  };
}

const FRAMEWORKS = {
  "@nestjs/core": "NestJS",
  fastify: "Fastify",
  hono: "Hono",
  koa: "Koa",
  elysia: "Elysia",
  express: "Express",
};
const NODE = need(["node", "--version"], "install Node.js, https://nodejs.org");

/** Settings of a server with one process and one thread for responses. */
const ONE = { workers: "one", takesTurns: false } as const;

/** Install command for each lockfile. */
const MANAGERS: readonly { readonly lockfile: string; readonly install: readonly string[] }[] = [
  { lockfile: "package-lock.json", install: ["npm", "ci"] },
  { lockfile: "pnpm-lock.yaml", install: ["pnpm", "install", "--frozen-lockfile"] },
  { lockfile: "yarn.lock", install: ["yarn", "install", "--frozen-lockfile"] },
  { lockfile: "bun.lock", install: ["bun", "install", "--frozen-lockfile"] },
  { lockfile: "bun.lockb", install: ["bun", "install", "--frozen-lockfile"] },
];

/** The fields of package.json that are read. */
interface PackageJson {
  readonly name?: string;
  readonly main?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Reads a project with a package.json; null without one. */
async function readPackage(folder: Folder): Promise<Project | null> {
  const text = await folder.read("package.json");
  if (text === null) return null;
  const { name, main = "index.js", scripts = {}, dependencies = {} } = JSON.parse(
    text,
  ) as PackageJson;
  const locked = await Promise.all(
    MANAGERS.map(async (manager) => await folder.has(manager.lockfile) ? [manager] : []),
  );
  const [{ install } = { install: ["npm", "install"] }] = locked.flat();
  const [program = "npm"] = install;
  const hasStart = scripts.start !== undefined;
  return {
    by: "package.json",
    name: name ?? folder.name,
    language: "JavaScript",
    framework: frameworkOf(FRAMEWORKS, Object.keys(dependencies)),
    ...ONE,
    requires: program === "bun" ? [need(["bun", "--version"], "install Bun, https://bun.sh")] : [
      NODE,
      ...(program === "npm" ? [] : [need([program, "--version"], `install ${program}`)]),
    ],
    prepare: [install, ...(scripts.build === undefined ? [] : [[program, "run", "build"]])],
    start: hasStart ? [program, "run", "start"] : [program === "bun" ? "bun" : "node", main],
    env: { NODE_ENV: "production" },
    doubts: hasStart ? [] : [`whether ${main} starts it: package.json has no script "start"`],
  };
}

/** The fields of deno.json that are read. The file may contain comments. */
interface DenoJson {
  readonly name?: string;
  readonly tasks?: Readonly<Record<string, unknown>>;
}

/** Reads a project with a deno.json or deno.jsonc; null without one. */
async function readDeno(folder: Folder): Promise<Project | null> {
  for (const by of ["deno.json", "deno.jsonc"]) {
    const text = await folder.read(by);
    if (text === null) continue;
    const { name, tasks = {} } = JSON.parse(withoutComments(text)) as DenoJson;
    const task = ["start", "serve"].find((one) => one in tasks);
    return {
      by,
      name: name ?? folder.name,
      language: "TypeScript",
      framework: frameworkOf(
        { "npm:hono": "Hono", "@hono/hono": "Hono", "@oak/oak": "Oak" },
        [...text.matchAll(/(npm:hono|@hono\/hono|@oak\/oak)/g)].map(([found]) => found),
      ),
      ...ONE,
      requires: [need(["deno", "--version"], "install Deno, https://deno.com")],
      ...(task === undefined
        ? {
          prepare: [["deno", "install", "--entrypoint", "main.ts"]],
          start: [
            ...["deno", "run", "--cached-only"],
            ...["--allow-net", "--allow-env", "--allow-read", "main.ts"],
          ],
        }
        : { prepare: [["deno", "install"]], start: ["deno", "task", task] }),
      env: {},
      doubts: task === undefined
        ? [`whether main.ts starts it: ${by} has no task "start" or "serve"`]
        : [],
    };
  }
  return null;
}

/** Removes comments and trailing commas from JSON, except within strings. */
function withoutComments(text: string): string {
  return text.replaceAll(
    /("(?:[^"\\]|\\.)*")|\/\/.*$|\/\*[^]*?\*\//gm,
    (_all, string) => string ?? "",
  )
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_all, string) => string ?? "");
}

const PYTHON = ".venv/bin/python";

/** Start command of each framework by its package, for an application named `app` in `main.py`. */
const SERVERS: Readonly<
  Record<string, { readonly name: string; readonly start: readonly string[] }>
> = {
  fastapi: {
    name: "FastAPI",
    start: ["-m", "uvicorn", "main:app", "--host", "{HOST}", "--port", "{PORT}"],
  },
  flask: {
    name: "Flask",
    start: ["-m", "flask", "--app", "main", "run", "--host", "{HOST}", "--port", "{PORT}"],
  },
  django: { name: "Django", start: ["manage.py", "runserver", "--noreload", "{HOST}:{PORT}"] },
};

/** Reads a project with a pyproject.toml or a requirements.txt; null without either. */
async function readPython(folder: Folder): Promise<Project | null> {
  const project = await folder.read("pyproject.toml");
  const requirements = await folder.read("requirements.txt");
  if (project === null && requirements === null) return null;
  const { project: own } = (project === null ? {} : parse(project)) as {
    readonly project?: { readonly name?: string };
  };
  const needs = `${project ?? ""}\n${requirements ?? ""}`.toLowerCase();
  const [, server] = Object.entries(SERVERS).find(([name]) => needs.includes(name)) ?? [];
  const what = requirements === null ? ["."] : ["-r", "requirements.txt"];
  return {
    by: project === null ? "requirements.txt" : "pyproject.toml",
    name: own?.name ?? folder.name,
    language: "Python",
    framework: server?.name ?? null,
    workers: "one",
    takesTurns: true,
    requires: [need(["python3", "--version"], "install Python, https://python.org")],
    prepare: [
      ["python3", "-m", "venv", ".venv"],
      [PYTHON, "-m", "pip", "install", "--quiet", ...what],
    ],
    start: [PYTHON, ...(server?.start ?? ["main.py"])],
    env: {},
    doubts: [
      server === undefined
        ? "whether main.py starts it"
        : "whether the application is app in main.py, or manage.py exists",
    ],
  };
}

/**
 * Readers of project files; the first one that finds a project decides. package.json comes last,
 * because many projects have one only for their tools.
 */
const READERS:
  readonly (readonly [file: string, read: (folder: Folder) => Promise<Project | null>])[] = [
    ["go.mod", readGo],
    ["Cargo.toml", readRust],
    ["pom.xml", readMaven],
    ["deno.json", readDeno],
    ["pyproject.toml", readPython],
    ["package.json", readPackage],
  ];

/**
 * Maximum length of a project's name, in characters: the same limit as npm's. The id becomes a folder name.
 */
const LONGEST_NAME = 214;

/**
 * Checks a project's name.
 *
 * @throws {TypeError} if it is not text, or is too long.
 */
function named(project: Project): Project {
  const { name }: { name: unknown } = project;
  if (typeof name !== "string") throw new TypeError("its name is not text");
  if (name.length > LONGEST_NAME) {
    throw new TypeError(`its name has ${name.length} characters; the maximum is ${LONGEST_NAME}`);
  }
  return project;
}

/**
 * Derives how a folder's server is built and started from its project files.
 *
 * @throws {UsageError} if there are none, or they cannot be read.
 */
export async function detect(folder: Folder): Promise<Project> {
  for (const [file, read] of READERS) {
    try {
      const project = await read(folder);
      if (project !== null) return named(project);
    } catch (error) {
      throw new UsageError(`Cannot read ${file}: ${oneLine(messageOf(error))}`);
    }
  }
  const names = READERS.map(([file]) => file).join(", ");
  throw new UsageError(
    `Cannot detect the kind of project in ${folder.name}: it has none of ${names}; docs/adding_a_server.md explains server.json`,
  );
}
