import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { MANIFEST_SCHEMA } from "../model/documents.ts";
import { validatorOf } from "../model/schema.ts";
import { detect, type Project } from "./detect.ts";
import { filesOf } from "../cli/commands/init_command.ts";

function folderOf(files: Readonly<Record<string, string>>): Parameters<typeof detect>[0] {
  return {
    name: "shop",
    read: (path) => Promise.resolve(files[path] ?? null),
    has: (path) => Promise.resolve(path in files),
  };
}

const brief = ({ name, language, framework, prepare, start, doubts }: Project): unknown => [
  name,
  [language, framework].join(),
  prepare.map((command) => command.join(" ")),
  start.join(" "),
  doubts.length,
];

/** Files of a folder and the project detected from them. */
const CASES: readonly (readonly [files: Record<string, string>, told: unknown])[] = [
  [
    {
      "package.json":
        '{"name":"@me/shop","scripts":{"start":"tsx x","build":"tsc"},"dependencies":{"express":"5"}}',
      "pnpm-lock.yaml": "",
    },
    [
      "@me/shop",
      "JavaScript,Express",
      ["pnpm install --frozen-lockfile", "pnpm run build"],
      "pnpm run start",
      0,
    ],
  ],
  [
    { "package.json": '{"main":"main.js"}' },
    ["shop", "JavaScript,", ["npm install"], "node main.js", 1],
  ],
  [
    { "package.json": "{}", "bun.lock": "" },
    ["shop", "JavaScript,", ["bun install --frozen-lockfile"], "bun index.js", 1],
  ],
  [
    {
      "deno.json":
        '{ // a comment\n "imports": {"hono": "npm:hono@4"}, "tasks": {"serve": "deno serve \\"//x\\" main.ts",},}',
      "package.json": "{}",
    },
    ["shop", "TypeScript,Hono", ["deno install"], "deno task serve", 0],
  ],
  [
    { "deno.json": '{"imports": {"@oak/oak": "jsr:@oak/oak"}}' },
    [
      "shop",
      "TypeScript,Oak",
      ["deno install --entrypoint main.ts"],
      "deno run --cached-only --allow-net --allow-env --allow-read main.ts",
      1,
    ],
  ],
  [
    { "go.mod": "module example.com/me/cart\nrequire github.com/gin-gonic/gin v1", "main.go": "" },
    ["cart", "Go,Gin", ["go build -o stampede-server ."], "./stampede-server", 0],
  ],
  [
    { "Cargo.toml": '[package]\nname = "cart"\n[dependencies]\naxum = "0.8"', "Cargo.lock": "" },
    ["cart", "Rust,axum", ["cargo build --release --locked"], "./target/release/cart", 1],
  ],
  [
    {
      "pom.xml":
        "<project><parent><artifactId>spring-boot-starter-parent</artifactId><version>3</version></parent><artifactId>cart</artifactId><version>1.2</version></project>",
    },
    [
      "cart",
      "Java,Spring Boot",
      ["mvn -q -DskipTests package"],
      "java -XX:ActiveProcessorCount={WORKERS} -jar target/cart-1.2.jar",
      0,
    ],
  ],
  [
    { "pyproject.toml": '[project]\nname = "cart"\ndependencies = ["fastapi", "uvicorn"]' },
    [
      "cart",
      "Python,FastAPI",
      ["python3 -m venv .venv", ".venv/bin/python -m pip install --quiet ."],
      ".venv/bin/python -m uvicorn main:app --host {HOST} --port {PORT}",
      1,
    ],
  ],
];

Deno.test("detect tells how a project is built and started, by its own files", async () => {
  const problemsOf = validatorOf(MANIFEST_SCHEMA, { allErrors: true });
  for (const [files, told] of CASES) {
    const project = await detect(folderOf(files));
    deepStrictEqual(brief(project), told, Object.keys(files).join());
    const [manifest] = filesOf(project);
    deepStrictEqual(problemsOf(JSON.parse(manifest?.text ?? "")), [], "it is a manifest");
  }
});

Deno.test("detect starts a server by node itself, if its script does nothing else", async () => {
  const cases: readonly (readonly [scripts: Record<string, unknown>, start: string])[] = [
    [{ start: "node index.js" }, "node index.js"],
    [
      { start: " node --env-file=.env  -r dotenv/config ./src/main.js 80" },
      "node --env-file=.env -r dotenv/config ./src/main.js 80",
    ],
    ...[
      "node --watch x.js",
      "node --inspect x.js",
      "node x.js && echo done",
      "node x.js $PORT",
      'node "a b.js"',
      "node *.js",
      "NODE_ENV=test node x.js",
      "nodemon x.js",
      "node",
    ].map((start) => [{ start }, "npm run start"] as const),
    [{ start: "node x.js", prestart: "tsc" }, "npm run start"],
    [{ start: "node x.js", poststart: "rm x" }, "npm run start"],
    [{ start: 5 }, "npm run start"],
  ];
  for (const [scripts, start] of cases) {
    const project = await detect(folderOf({ "package.json": JSON.stringify({ scripts }) }));
    strictEqual(project.start.join(" "), start);
  }
  const files = { "package.json": '{"scripts":{"start":"node x.js"}}', "bun.lock": "" };
  strictEqual((await detect(folderOf(files))).start.join(" "), "bun run start");
});

Deno.test("detect says what it cannot tell, and which file cannot be read", async () => {
  await rejects(detect(folderOf({ "index.html": "" })), {
    name: "UsageError",
    message: /^Cannot detect the kind of project in shop: it has none of go.mod, /,
  });
  await rejects(detect(folderOf({ "package.json": "{" })), {
    name: "UsageError",
    message: /^Cannot read package.json: /,
  });
  await rejects(detect(folderOf({ "Cargo.toml": "[package" })), {
    message: /^Cannot read Cargo.toml/,
  });
});

Deno.test("detect refuses a name that can be no folder's", async () => {
  const cases: readonly (readonly [name: unknown, says: RegExp])[] = [
    [
      "x".repeat(100_000),
      /^Cannot read package.json: its name has 100000 characters; the maximum is 214/,
    ],
    [5, /^Cannot read package.json: its name is not text$/],
  ];
  for (const [name, message] of cases) {
    const files = { "package.json": JSON.stringify({ name }) };
    await rejects(detect(folderOf(files)), { name: "UsageError", message });
  }
});
