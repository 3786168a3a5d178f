/** Reads projects for Node.js, Bun and Deno. */
import { type Folder, frameworkOf, need, type Project } from "./project.ts";

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
export async function readPackage(folder: Folder): Promise<Project | null> {
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
export async function readDeno(folder: Folder): Promise<Project | null> {
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
