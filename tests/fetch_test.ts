import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { readCatalog } from "../src/target/catalog.ts";
import { Sandbox } from "./bench.ts";
import { canLeaveNetwork, offline } from "./offline.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FETCH = `
import { fetchModules } from ${JSON.stringify(new URL("../src/cli/modules.ts", import.meta.url))};
const write = (text) => Deno.stdout.writeSync(new TextEncoder().encode(text));
try {
  await fetchModules(Deno.args[0], { write, isTerminal: Deno.args[1] === "terminal" });
} catch (error) {
  console.log(error.name + ": " + error.message);
}
`;
/** An address without a listener: a request fails at once. */
const NO_REGISTRY = "http://127.0.0.1:9/";

/** A registry with one package, and a project that needs it. */
class Project implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly #folder: string;
  readonly #registry: Deno.HttpServer<Deno.NetAddr>;

  private constructor(folder: string, tarball: Uint8Array<ArrayBuffer>) {
    this.#folder = folder;
    this.#registry = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      ({ url }) => {
        const { pathname, origin } = new URL(url);
        this.asked.push(pathname);
        if (pathname.endsWith(".tgz")) return new Response(tarball);
        const dist = { tarball: `${origin}/one/-/one-1.0.0.tgz`, integrity: integrityOf(tarball) };
        return Response.json({
          name: "one",
          "dist-tags": { latest: "1.0.0" },
          versions: { "1.0.0": { name: "one", version: "1.0.0", dist } },
        });
      },
    );
  }

  static async create(): Promise<Project> {
    const folder = await Deno.makeTempDir({ prefix: "fetch-" });
    await Deno.mkdir(`${folder}/package`);
    await Deno.writeTextFile(
      `${folder}/package/package.json`,
      JSON.stringify({ name: "one", version: "1.0.0", main: "one.js" }),
    );
    await Deno.writeTextFile(`${folder}/package/one.js`, "module.exports = 1;\n".repeat(60_000));
    const { success } = await new Deno.Command("tar", {
      args: ["-czf", "one.tgz", "package"],
      cwd: folder,
    }).output();
    ok(success);
    const tarball = await Deno.readFile(`${folder}/one.tgz`);
    const npm = { "one@1.0.0": { integrity: integrityOf(tarball) } };
    const elsewhere = { "two@1.0.0": { ...npm["one@1.0.0"], os: ["plan9"] } };
    await Deno.mkdir(`${folder}/project`);
    await Deno.writeTextFile(
      `${folder}/project/deno.json`,
      JSON.stringify({ nodeModulesDir: "manual", imports: { one: "npm:one@1.0.0" } }),
    );
    await Deno.writeTextFile(
      `${folder}/project/deno.lock`,
      JSON.stringify({
        version: "5",
        specifiers: { "npm:one@1.0.0": "1.0.0" },
        npm: { ...npm, ...elsewhere },
        workspace: { dependencies: ["npm:one@1.0.0"] },
      }),
    );
    return new Project(folder, tarball);
  }

  /** Fetches the project's modules with an empty cache and returns the output. */
  async fetch(screen: "file" | "terminal", registry?: string): Promise<string> {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-config", FETCH, "--", `${this.#folder}/project`, screen],
      env: {
        DENO_DIR: `${this.#folder}/cache-${crypto.randomUUID()}`,
        NPM_CONFIG_REGISTRY: registry ?? `http://127.0.0.1:${this.#registry.addr.port}/`,
        NO_PROXY: "127.0.0.1",
      },
    }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  }

  /** Changes the lock file like a newer version of the project. */
  async change(): Promise<void> {
    const path = `${this.#folder}/project/deno.lock`;
    await Deno.writeTextFile(path, await Deno.readTextFile(path) + "\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#registry.shutdown();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

Deno.test("modules are fetched once for each state of the lock file, with count and size", async () => {
  await using project = await Project.create();
  match(
    await project.fetch("file"),
    /^Fetching 1 npm packages, on the first run only \.\.\.\nFetched 1 npm packages in \d+ s: 1 MB in node_modules\n$/,
  );
  ok(project.asked.includes("/one/-/one-1.0.0.tgz"));
  project.asked.length = 0;
  deepStrictEqual([await project.fetch("file"), project.asked], ["", []], "all is there");
  await project.change();
  const screen = await project.fetch("terminal");
  ok(screen.includes("\r\x1b[KFetched 1 npm packages in "), screen);
});

Deno.test("a failed fetch names the package, the registry and the settings, and is tried again", async () => {
  await using project = await Project.create();
  for (let i = 0; i < 2; i++) {
    match(
      await project.fetch("file", NO_REGISTRY),
      /\nFailure: Cannot fetch Stampede's npm packages: Deno could not fetch one@1\.0\.0 from 127\.0\.0\.1:9: .*HTTPS_PROXY.*DENO_CERT.*NPM_CONFIG_REGISTRY\n$/,
    );
  }
  match(await project.fetch("file"), /Fetched 1 npm packages in/);
});

Deno.test("a registry that refuses a download is named without its password", async () => {
  await using project = await Project.create();
  await using registry = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("no", { status: 401 }),
  );
  const host = `127.0.0.1:${registry.addr.port}`;
  const printed = await project.fetch("file", `http://me:s3cret@${host}/`);
  match(printed, new RegExp(`Deno could not fetch \\S+ from ${host}: Bad response: 401\\. `));
  ok(!printed.includes("s3cret"), printed);
});

const hasNoNetwork = await canLeaveNetwork();

Deno.test(
  `once the modules are fetched, a run needs no cache of Deno and no ${
    hasNoNetwork ? "network" : "registry"
  }`,
  async () => {
    await using sandbox = await Sandbox.create("embedded");
    const args = ["run", "-A", `${ROOT}bench.ts`, "text", "sql1", "--quick", "-z", "0.5"];
    const bench = [Deno.execPath(), ...args, "--server", `${ROOT}peers/deno`];
    const words = bench.map((word) => `"${word}"`).join(" ");
    const running = sandbox.startProgram(hasNoNetwork ? offline(words) : bench, {
      env: {
        DENO_DIR: `${sandbox.folder}/empty`,
        NPM_CONFIG_REGISTRY: NO_REGISTRY,
        HTTPS_PROXY: NO_REGISTRY,
        NO_PROXY: "127.0.0.1",
      },
    });
    const { code, stdout } = await running.outcome;
    strictEqual(code, 0, running.written());
    match(stdout, /^text .*\n(.*\n)?sql1 /m);
    ok(!/Download|Initialize/.test(running.written()), running.written());
    deepStrictEqual(await sandbox.leftovers(), []);
  },
);

Deno.test("a revision whose modules cannot be fetched is an error that says why", async () => {
  await using sandbox = await Sandbox.create();
  const folder = `${sandbox.folder}/mine`;
  await Deno.mkdir(folder);
  const start = ["deno", "run", "--cached-only", "--allow-net", "main.ts"];
  const files = {
    "server.json": { id: "mine", name: "M", language: "TS", scenarios: { text: {} }, start },
    "deno.json": { imports: { one: "npm:one@1.0.0" } },
  };
  for (const [name, content] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, JSON.stringify(content));
  }
  const author = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  for (const args of [["init", "-q"], ["add", "."], [...author, "commit", "-q", "-m", "one"]]) {
    ok((await new Deno.Command("git", { args, cwd: folder }).output()).success);
  }
  const { code, stderr } = await sandbox.run(
    ["versus", "text", "--server", folder, "--base", "HEAD"],
    { DENO_DIR: `${sandbox.folder}/empty`, NPM_CONFIG_REGISTRY: NO_REGISTRY },
  );
  strictEqual(code, 1, stderr);
  match(
    stderr,
    /^Cannot install the modules of [0-9a-f]{40}: .*Deno could not fetch one\S* from 127\.0\.0\.1:9: /m,
  );
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("every Deno server of the suite starts with cached modules only", async () => {
  for (const { id, folder, start, sources, prepare } of (await readCatalog()).values()) {
    if (start[0] !== "deno") continue;
    const main = start.find((argument) => argument.endsWith(".ts")) ?? "";
    const source = await Deno.readTextFile(`${folder}/${sources}/${main}`).catch(() => "import ");
    const isAlone = prepare.length === 0 && !/^import /m.test(source);
    ok(isAlone || start.includes("--cached-only"), id);
  }
});
