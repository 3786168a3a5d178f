// deno-lint-ignore-file no-console -- durations, which no test asserts
/** The npm package, as a person without a clone uses it: in its own HOME, with empty caches. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { basename, join } from "node:path";
import { build } from "../package/build.ts";
import { PACKAGE } from "../src/cli/commands/init_command.ts";
import { IS_ALL } from "./bench.ts";
import { loginVariables, pathWithoutDeno, Registry } from "./npm.ts";
import { canLeaveNetwork, offline } from "./offline.ts";

/** Versions of Node.js that the package supports: https://nodejs.org/en/about/previous-releases */
const NODES = IS_ALL ? [20, 22, 24, 26] : [20, 26];
const OTHER_VERSION = "0.1.0-other";
const hasNoNetwork = await canLeaveNetwork();

/** A person's HOME with projects, without any cache. */
class Person implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  static async create(): Promise<Person> {
    const folder = await Deno.makeTempDir({ prefix: "package-" });
    await Deno.chmod(folder, 0o755); // PostgreSQL may run as another user
    for (const name of ["home", "tmp"]) await Deno.mkdir(join(folder, name));
    return new Person(folder);
  }

  async makeProject(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const project = join(this.folder, name);
    await Deno.mkdir(project);
    for (const [path, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(project, path), text);
    }
    return project;
  }

  /** Runs a program to its end; returns its output. Throws if the exit code is another one. */
  async run(
    cwd: string,
    [program = "", ...args]: readonly string[],
    { code: expected = 0, env = {} }: { code?: number; env?: Record<string, string> } = {},
  ): Promise<string> {
    const startedMs = performance.now();
    const { code, stdout, stderr } = await new Deno.Command(program, {
      args,
      cwd,
      clearEnv: true,
      env: { ...loginVariables(this.folder), ...env },
    }).output();
    const [out = "", err = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    const shown = [program, ...args].join(" ");
    console.log(`${((performance.now() - startedMs) / 1000).toFixed(1)} s: ${shown}`);
    strictEqual(code, expected, `${shown}\n${out}\n${err}`);
    return out + err;
  }

  async listed(path: string): Promise<string[]> {
    const names = (await Array.fromAsync(Deno.readDir(join(this.folder, path))))
      .map(({ name }) => name);
    return names.sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

const SERVER = `
import express from "express";
const app = express();
app.get("/", (_request, response) => {
  const until = performance.now() + Number(process.env.BUSY_MS ?? BUSY_MS);
  while (performance.now() < until);
  response.send("hello");
});
const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on("SIGTERM", () => server.close());
`;

Deno.test("the package measures, compares and cleans up without a clone", async (t) => {
  await using person = await Person.create();
  const tarball = await build(person.folder);
  const other = await build(join(person.folder, "other"), OTHER_VERSION);
  const empty = await person.makeProject("empty", {});
  const file = `./${basename(tarball)}`;
  await Deno.copyFile(tarball, join(empty, file));

  await t.step("npx measures in an empty folder, with empty caches", async () => {
    const few = IS_ALL ? [] : ["text", "sql1", "schema", "-z", "0.5", "--warmup", "0.2"];
    const text = await person.run(empty, ["npx", "-y", file, ...few, "--quick"]);
    match(text, /^text +.*\d/m);
    match(text, /^schema +.*\d/m);
    match(text, new RegExp(`: npx ${RegExp.escape(file)} `), "hints begin as typed");
    ok(!text.includes("deno task"), text);
    deepStrictEqual(await person.listed("empty"), ["results", basename(file)]);
    deepStrictEqual(await person.listed("home"), [".cache", ".npm"]);
    deepStrictEqual(await person.listed("home/.cache"), ["stampede"]);
    deepStrictEqual(await person.listed("tmp"), []);
  });

  await t.step({
    name: "later runs need no network",
    ignore: !hasNoNetwork,
    fn: async () => {
      const text = await person.run(empty, offline(`npx --offline -y ${file} text --quick`));
      match(text, /^text +.*\d/m);
    },
  });

  await t.step("a project with Express is measured and compared with its last commit", async () => {
    const shop = await person.makeProject("shop", {
      "package.json": JSON.stringify({
        name: "shop",
        type: "module",
        scripts: { start: "node index.js", bench: "stampede" },
      }),
      "index.js": SERVER.replace("?? BUSY_MS", "?? 0"),
      ".gitignore": "node_modules/\nresults/\n",
    });
    const git = (...words: string[]): Promise<string> =>
      person.run(shop, ["git", "-c", "user.name=me", "-c", "user.email=me@localhost", ...words]);
    await person.run(shop, ["npm", "install", "--no-fund", "express"]);
    await person.run(shop, ["npm", "install", "--no-fund", "--save-dev", tarball]);
    const said = await person.run(shop, ["npx", "stampede", "init"]);
    match(said, /^ {2}npx stampede verify --server stampede\/shop\/server\.json/m);
    await git("init", "--quiet");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "First");
    const own = ["--server", "stampede/shop/server.json", "--scenario", "stampede/first.js"];
    const measured = await person.run(shop, [
      ...["npm", "run", "bench", "--", ...own, "--quick", "--html", "page.html"],
    ]);
    match(measured, /^first +.*\d/m);
    match(measured, /: npm run bench -- /, "hints begin as typed");
    match(await Deno.readTextFile(join(shop, "page.html")), /<title>/);

    await Deno.writeTextFile(join(shop, "index.js"), SERVER.replace("?? BUSY_MS", "?? 0.3"));
    await git("commit", "--quiet", "--all", "--message", "Slower");
    // The change is large, so few rounds prove it
    const few = ["--rounds", "7", "--max-rounds", "7", "-z", "0.5", "--warmup", "0.5"];
    const versus = ["versus", "--base", "HEAD~1", "--fail-on", "5%", ...few, ...own]
      .concat("--no-counts", "--no-profile", "--measure", "none");
    const found = await person.run(shop, ["npx", "stampede", ...versus], { code: 1 });
    match(found, /^Slower: first /m);
    deepStrictEqual((await git("status", "--porcelain")).trim(), "?? page.html");
  });

  await t.step("two versions work side by side", async () => {
    const both = [];
    for (const [name, from] of [["one", tarball], ["two", other]] as const) {
      const project = await person.makeProject(name, { "package.json": "{}" });
      await person.run(project, ["npm", "install", "--no-fund", from]);
      both.push(project);
    }
    for (const _again of [1, 2]) {
      const said = [];
      for (const project of both) {
        said.push((await person.run(project, ["npx", "stampede", "--version"])).trim());
      }
      match(said[0] ?? "", /^\d+\.\d+\.\d+$/m);
      match(said[1] ?? "", new RegExp(`^${OTHER_VERSION}$`, "m"));
    }
    strictEqual((await person.listed("home/.cache/stampede/versions")).length, 2);
  });

  for (const node of NODES) {
    await t.step(`it runs on Node.js ${node}`, async () => {
      const project = await person.makeProject(`node-${node}`, { "package.json": "{}" });
      await person.run(project, ["npm", "install", "--no-fund", `node@${node}`, tarball]);
      const program = join(project, "node_modules", "node", "bin", "node");
      match(await person.run(project, [program, "--version"]), new RegExp(`^v${node}\\.`));
      const launcher = join(project, "node_modules", PACKAGE, "bin", "stampede.cjs");
      match(await person.run(project, [program, launcher, "list", "scenarios"]), /^ {2}text /m);
    });
  }

  await t.step("an installed Deno is used if it is recent enough, and asked once", async () => {
    const project = await person.makeProject("installed", { "package.json": "{}" });
    await person.run(project, ["npm", "install", "--no-fund", tarball]);
    const bin = join(person.folder, "bin");
    const log = join(person.folder, "calls");
    const install = async (version: string): Promise<void> => {
      await Deno.mkdir(bin, { recursive: true });
      const script = `#!/bin/sh\necho "$1" >>${log}\n` +
        `[ "$1" = --version ] && echo 'deno ${version} (stable)' && exit\nexec ${Deno.execPath()} "$@"\n`;
      await Deno.writeTextFile(join(bin, "deno"), script, { mode: 0o755 });
    };
    const calls = async (): Promise<string> => {
      await Deno.writeTextFile(log, "");
      const program = join(project, "node_modules", ".bin", "stampede");
      const env = { PATH: `${bin}:${pathWithoutDeno()}` };
      await person.run(project, [program, "--version"], { env });
      return (await Deno.readTextFile(log)).trim();
    };
    await install("2.9.0");
    strictEqual(await calls(), "--version\nrun");
    strictEqual(await calls(), "run");
    await install("2.10.1-other");
    strictEqual(await calls(), "--version\nrun");
    await install("2.8.12");
    strictEqual(await calls(), "--version", "that of npm runs it");
  });

  await t.step("Deno runs and installs it from a registry", async () => {
    await using registry = await Registry.start(tarball);
    const env = { NPM_CONFIG_REGISTRY: registry.url, DENO_DIR: join(person.folder, "deno") };
    const deno = Deno.execPath();
    const from = `npm:${PACKAGE}`;
    const version = await person.run(empty, [deno, "run", "-A", from, "--version"], { env });
    match(version, /^\d+\.\d+\.\d+$/m);
    const install = ["install", "-gA", "-n", "stampede", "--root", join(person.folder, "root")];
    await person.run(empty, [deno, ...install, from], { env });
    const program = join(person.folder, "root", "bin", "stampede");
    const path = { ...env, PATH: `${join(deno, "..")}:${Deno.env.get("PATH")}` };
    match(await person.run(empty, [program, "list", "scenarios"], { env: path }), /^ {2}text /m);
  });

  await t.step("clean removes all that it kept", async () => {
    const listed = await person.run(empty, ["npx", "-y", file, "clean", "--dry-run"]);
    match(listed, /^ {2}versions +\d+ MB/m);
    await person.run(empty, ["npx", "-y", file, "clean"]);
    deepStrictEqual(await person.listed("home/.cache"), []);
  });
});
