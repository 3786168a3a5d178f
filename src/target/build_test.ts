import {
  deepStrictEqual,
  match,
  notStrictEqual,
  ok,
  rejects,
  strictEqual,
} from "node:assert/strict";
import { join } from "node:path";
import type { Server } from "../model/server.ts";
import { ProcessScope } from "../process/scope.ts";
import { until } from "../../tests/bench.ts";
import { build, forgetOldBuilds } from "./build.ts";
import { launch } from "./launch.ts";
import { Toolchain } from "./toolchain.ts";

/** A server's sources, a cache, and the events of builds. */
class Workshop implements AsyncDisposable {
  readonly scope = new ProcessScope();
  readonly heard: string[] = [];
  readonly abort = new AbortController();

  private constructor(readonly folder: string) {}

  static async open(): Promise<Workshop> {
    const folder = await Deno.makeTempDir({ prefix: "workshop-" });
    await Deno.mkdir(join(folder, "x", "node_modules"), { recursive: true });
    await Deno.writeTextFile(join(folder, "x", "main.ts"), "1");
    await Deno.writeTextFile(join(folder, "x", "node_modules", "made.js"), "");
    return new Workshop(folder);
  }

  get cache(): string {
    return join(this.folder, "cache");
  }

  build(
    change: Partial<Server> = {},
    cache: string | null = this.cache,
    scope: ProcessScope = this.scope,
  ): Promise<Server> {
    const server = {
      id: "x",
      name: "X",
      folder: join(this.folder, "x"),
      sources: ".",
      requires: [],
      prepare: [[
        "deno",
        "eval",
        "Deno.writeTextFileSync('made', Deno.readTextFileSync('main.ts'))",
      ]],
      ...change,
    } as unknown as Server;
    return build(server, {
      scope,
      toolchain: new Toolchain(),
      cache,
      onCommand: (command) => void this.heard.push(command.split(" ")[1] ?? ""),
      onOutput: (line) => void this.heard.push(line),
      onWait: () => void this.heard.push("wait"),
      abort: this.abort.signal,
    });
  }

  async builds(): Promise<string[]> {
    const entries = await Array.fromAsync(Deno.readDir(this.cache));
    return entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scope[Symbol.asyncDispose]();
    await Deno.remove(this.folder, { recursive: true });
  }
}

const run = (code: string): string[] => ["deno", "eval", code];

Deno.test("build needs a place only for what is built", async () => {
  await using workshop = await Workshop.open();
  strictEqual((await workshop.build({ prepare: [] }, null)).folder, join(workshop.folder, "x"));
  await rejects(workshop.build({}, null), {
    name: "Failure",
    message: "There is no folder to build X in: set --cache or HOME",
  });
});

Deno.test("build builds a copy of the sources once, and again when they change", async () => {
  await using workshop = await Workshop.open();
  const { folder } = await workshop.build();
  strictEqual(await Deno.readTextFile(join(folder, "made")), "1");
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
  deepStrictEqual(names, [".stampede-build", "made", "main.ts"]);
  strictEqual((await workshop.build()).folder, folder);
  strictEqual((await workshop.build({ id: "y", name: "Y" })).folder, folder, "shared");
  deepStrictEqual(workshop.heard, ["eval"]);
  await Deno.writeTextFile(join(workshop.folder, "x", "main.ts"), "2");
  const changed = await workshop.build();
  notStrictEqual(changed.folder, folder);
  strictEqual(await Deno.readTextFile(join(changed.folder, "made")), "2");
});

Deno.test("build of a server that needs none leaves it where its sources are", async () => {
  await using workshop = await Workshop.open();
  const here = join(workshop.folder, "x");
  strictEqual((await workshop.build({ prepare: [] })).folder, here);
  strictEqual((await workshop.build({ prepare: [], sources: "../z" })).folder, join(here, "../z"));
});

Deno.test("build keeps what can be run, and follows links", async () => {
  await using workshop = await Workshop.open();
  const folder = join(workshop.folder, "x");
  await Deno.writeTextFile(join(folder, "run.sh"), "#!/bin/sh\necho made > made\n", {
    mode: 0o755,
  });
  await Deno.symlink(join(folder, "run.sh"), join(folder, "link.sh"));
  const built = await workshop.build({ prepare: [["./link.sh"]] });
  strictEqual(await Deno.readTextFile(join(built.folder, "made")), "made\n");
  await Deno.chmod(join(folder, "run.sh"), 0o644);
  await rejects(workshop.build({ prepare: [["./run.sh"]] }), /cannot be run/);
});

Deno.test("build names the server whose sources cannot be read", async () => {
  await using workshop = await Workshop.open();
  await rejects(workshop.build({ sources: "../nowhere" }), {
    name: "Failure",
    message: /^Cannot read the sources of X: /,
  });
});

Deno.test("build waits for another that builds the same, unless it is told to end", async () => {
  await using workshop = await Workshop.open();
  const slow = run(
    "await new Promise((r) => setTimeout(r, 600)); Deno.writeTextFileSync('made', '')",
  );
  const first = workshop.build({ prepare: [slow] });
  await new Promise((resolve) => setTimeout(resolve, 250));
  const second = workshop.build({ prepare: [slow] });
  strictEqual((await first).folder, (await second).folder);
  deepStrictEqual(workshop.heard.filter((text) => text === "eval"), ["eval"]);
  ok(workshop.heard.includes("wait"));
});

Deno.test("build says what failed, keeps what it printed, and leaves no half of it", async () => {
  await using workshop = await Workshop.open();
  const code = "console.log('out'); console.error('err'); Deno.exit(4)";
  const error = await workshop.build({ prepare: [run(code)] }).catch((error) => error);
  match(
    error.message,
    /^Cannot build X: "deno eval .*" ended with exit code 4: (out|err); its full output is/,
  );
  const log = await Deno.readTextFile(error.message.split(" is in ")[1]);
  deepStrictEqual(log.trim().split("\n").sort(), ["err", "out"]);
  deepStrictEqual(await workshop.builds(), []);
  await rejects(workshop.build({ prepare: [["no-such-program"]] }), {
    name: "Failure",
    message: /^Cannot build X: "no-such-program" cannot be run: .*no-such-program/,
  });
});

Deno.test("a build that cannot fetch a package says which, from where, and what to set", async () => {
  await using workshop = await Workshop.open();
  const lines = [
    "npm error request to https://registry.example.org/zod failed, reason: connect ECONNREFUSED",
    "npm error A complete log of this run can be found in: debug.log",
  ];
  const code = `console.error(${JSON.stringify(lines.join("\n"))}); Deno.exit(1)`;
  await rejects(
    workshop.build({ prepare: [run(code)] }),
    /ended with exit code 1: npm could not fetch zod from registry\.example\.org: .*HTTPS_PROXY/,
  );
});

Deno.test("build ends with its run, and leaves no half of it", async () => {
  await using workshop = await Workshop.open();
  setTimeout(() => workshop.abort.abort(new Error("Ctrl-C")), 300);
  const endless = run("console.log('on'); setInterval(() => {}, 1000)");
  await rejects(workshop.build({ prepare: [endless] }), /Ctrl-C/);
  deepStrictEqual(await workshop.builds(), []);
  const left = await Array.fromAsync(Deno.readDir(workshop.cache));
  deepStrictEqual(left.filter(({ name }) => name.endsWith(".log")), [], "it did not fail");
});

Deno.test("build starts again where another was killed", async () => {
  await using workshop = await Workshop.open();
  const killed = new ProcessScope();
  const { folder } = await workshop.build({}, workshop.cache, killed);
  await killed[Symbol.asyncDispose]();
  await Deno.remove(join(folder, ".stampede-build"));
  await Deno.writeTextFile(join(folder, "half"), "");
  await workshop.build();
  ok(!(await Array.fromAsync(Deno.readDir(folder))).some(({ name }) => name === "half"));
});

Deno.test("build gives a temporary folder, which is gone afterwards", async () => {
  await using workshop = await Workshop.open();
  const code = "Deno.writeTextFileSync('where', Deno.args[0]); Deno.statSync(Deno.args[0])";
  const { folder } = await workshop.build({ prepare: [[...run(code), "{TEMP}"]] });
  const temp = await Deno.readTextFile(join(folder, "where"));
  await rejects(Deno.stat(temp), Deno.errors.NotFound);
});

Deno.test("forgetOldBuilds removes what has not been used for a month", async () => {
  await using workshop = await Workshop.open();
  await workshop.build();
  const day = 24 * 3600 * 1000;
  await forgetOldBuilds(workshop.cache, Date.now() + 29 * day);
  strictEqual((await workshop.builds()).length, 1);
  await Deno.mkdir(join(workshop.cache, "thesis"));
  await forgetOldBuilds(workshop.cache, Date.now() + 31 * day);
  const left = await Array.fromAsync(Deno.readDir(workshop.cache));
  deepStrictEqual(left.map(({ name }) => name), ["thesis"], "only what is its own");
  await forgetOldBuilds(join(workshop.folder, "nowhere"));
});

Deno.test("a build whose server does not start is made anew by the next run", async () => {
  await using workshop = await Workshop.open();
  const scope = new ProcessScope();
  const start = ["deno", "run", "-q", "made"];
  const built = await workshop.build({ start }, workshop.cache, scope);
  await Deno.writeTextFile(join(built.folder, "made"), "Deno.exit(7)"); // damaged, as by a full disk
  const server = { ...built, env: {}, ready: { path: "/", timeoutS: 10 } };
  await rejects(launch(scope, server, { env: {} }), {
    name: "Failure",
    message: "X ended with exit code 7 before it answered; the next run builds it again",
  });
  await scope[Symbol.asyncDispose]();
  await workshop.build();
  strictEqual(await Deno.readTextFile(join(built.folder, "made")), "1");
});

Deno.test("a build that failed keeps nobody waiting", async () => {
  await using workshop = await Workshop.open();
  for (let i = 0; i < 2; i++) {
    await rejects(workshop.build({ prepare: [run("Deno.exit(4)")] }), /ended with exit code 4/);
  }
});

Deno.test("a build is not made anew beneath another run that uses it", async () => {
  await using workshop = await Workshop.open();
  const { folder } = await workshop.build();
  await Deno.remove(join(folder, ".stampede-build")); // as after a server that did not start
  await Deno.writeTextFile(join(folder, "in use"), "");
  const other = new ProcessScope();
  const building = workshop.build({}, workshop.cache, other);
  await until(() => workshop.heard.includes("wait"), "it waits");
  ok(await Deno.stat(join(folder, "in use")));
  await workshop.scope[Symbol.asyncDispose]();
  await building;
  await rejects(Deno.stat(join(folder, "in use")), Deno.errors.NotFound);
  await other[Symbol.asyncDispose]();
});

Deno.test("a build whose server is stopped while it starts is kept", async () => {
  await using workshop = await Workshop.open();
  const built = await workshop.build({ start: ["deno", "run", "-q", "made"] });
  await Deno.writeTextFile(
    join(built.folder, "made"),
    "Deno.addSignalListener('SIGTERM', () => Deno.exit(1)); setInterval(() => {}, 1000);",
  );
  const server = { ...built, env: {}, ready: { path: "/", timeoutS: 10 } };
  const scope = new ProcessScope();
  const launching = rejects(
    launch(scope, server, { env: {} }),
    /^Failure: X (ended|was killed)[^;]*$/,
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  await scope[Symbol.asyncDispose]();
  await launching;
  const heard = workshop.heard.length;
  await workshop.build();
  strictEqual(workshop.heard.length, heard, "nothing is built");
});
