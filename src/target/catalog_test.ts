import { deepStrictEqual, notStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { basename, join } from "node:path";
import { SCENARIOS } from "../../scenarios/mod.ts";
import type { Server } from "../model/server.ts";
import { digest, readCatalog, readManifest, readSources, writeSources } from "./catalog.ts";

Deno.test("readCatalog finds Stampede's own server, which implements everything", async () => {
  const deno = (await readCatalog()).get("deno");
  const missing = SCENARIOS.filter(({ id, isDefault }) =>
    isDefault && !(id in (deno?.scenarios ?? {}))
  );
  deepStrictEqual(missing, []);
  deepStrictEqual(deno?.ready, { path: "/", timeoutS: 20 });
});

Deno.test("every manifest names only scenarios that there are, and is based on one there is", async () => {
  const catalog = await readCatalog();
  const ids = SCENARIOS.map(({ id }) => id);
  for (const { id, scenarios, basedOn } of catalog.values()) {
    ok(Object.keys(scenarios).every((scenario) => ids.includes(scenario)), id);
    ok(basedOn === null || catalog.has(basedOn), id);
  }
});

/** Writes manifests by folder, and returns how to read one; removes them after the test. */
async function manifests(
  files: Readonly<Record<string, unknown>>,
): Promise<{ read: (name: string) => Promise<Server> } & AsyncDisposable> {
  const root = await Deno.makeTempDir();
  for (const [name, fields] of Object.entries(files)) {
    await Deno.mkdir(join(root, name), { recursive: true });
    const text = JSON.stringify({ id: basename(name), ...fields as object });
    await Deno.writeTextFile(join(root, name, "server.json"), text);
  }
  return {
    read: (name) => readManifest(join(root, name)),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

Deno.test("a manifest takes over the fields of the one that it extends", async () => {
  await using folder = await manifests({
    "go/http": {
      name: "Go",
      language: "Go",
      framework: "net/http",
      scenarios: { text: {}, sql1: { driver: "pgx 5", pool: "pgxpool" }, delay: {} },
      prepare: [["go", "build"], ["strip", "main"]],
      start: ["./main", "{PORT}"],
      sources: "../code",
      env: { GOMAXPROCS: "{WORKERS}", DEBUG: "" },
    },
    gin: {
      extends: "../go/http",
      name: "Gin",
      framework: null,
      scenarios: { sql1: { pool: "none" }, delay: null, json: {} },
      prepare: [["go", "build", "./gin"]],
      env: { DEBUG: null },
    },
    "more/gin-one": { extends: "../../gin", workers: "one", sources: "." },
  });
  const { name, language, framework, scenarios, prepare, start, sources, env } = await folder
    .read("gin");
  deepStrictEqual([name, language, framework], ["Gin", "Go", null]);
  deepStrictEqual(scenarios, { text: {}, sql1: { driver: "pgx 5", pool: "none" }, json: {} });
  deepStrictEqual([prepare, start], [[["go", "build", "./gin"]], ["./main", "{PORT}"]]);
  deepStrictEqual([sources, env], ["../go/code", { GOMAXPROCS: "{WORKERS}" }]);
  const one = await folder.read("more/gin-one");
  deepStrictEqual([one.id, one.name, one.sources], ["gin-one", "Gin", "."]);
  deepStrictEqual("extends" in one, false);
  deepStrictEqual((await folder.read("go/http")).env.DEBUG, "");
});

Deno.test("sources without a name are those next to the extended manifest", async () => {
  const base = { name: "A", language: "C", scenarios: {}, start: ["./a"] };
  await using folder = await manifests({ a: base, b: { extends: "../a" } });
  deepStrictEqual((await folder.read("b")).sources, "../a");
});

Deno.test("a missing base, a circle and a damaged base are named", async () => {
  await using folder = await manifests({
    lost: { extends: "../none" },
    self: { extends: "." },
    a: { extends: "../b" },
    b: { extends: "../c" },
    c: { extends: "../a" },
    list: { extends: ["a"] },
    odd: { extends: "../wrong" },
    wrong: { name: "W", language: "C", scenarios: {}, start: "x" },
  });
  const cases: Readonly<Record<string, RegExp>> = {
    lost:
      /^Cannot read the manifest \S+\/none\/server\.json, which \S+\/lost\/server\.json extends: /,
    self: /self\/server\.json extends: it extends \S+\/self\/server\.json, which extends it$/,
    a: /\/c\/server\.json, which \S+\/a\/server\.json extends: it extends \S+\/a\/server\.json, which extends it$/,
    list: /list\/server\.json extends: /,
    odd: /^Cannot use \S+\/odd\/server\.json: \/start must be array$/,
  };
  for (const [name, message] of Object.entries(cases)) {
    await rejects(folder.read(name), { name: "UsageError", message }, name);
  }
});

Deno.test("readManifest names the file and what is wrong in it", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "server.json");
  const good = { id: "x", name: "X", language: "C", scenarios: {}, start: ["x"] };
  const cases: [string, RegExp][] = [
    ["{", /Cannot read the manifest .*server\.json/],
    [JSON.stringify({ ...good, start: "x --fast" }), /\/start must be array/],
    [JSON.stringify({ ...good, name: undefined }), /must have required property 'name'/],
    [JSON.stringify({ ...good, shell: "x" }), /must NOT have additional properties: shell$/],
    [
      JSON.stringify({ ...good, scenarios: undefined, scenarois: {} }),
      /'scenarios'; .*: scenarois$/,
    ],
    [JSON.stringify({ ...good, maxConnections: 0 }), /\/maxConnections must be >= 1/],
    [JSON.stringify({ ...good, warmupS: 61 }), /\/warmupS must be <= 60/],
    [
      JSON.stringify({ ...good, ready: { path: "@192.0.2.1/" } }),
      /\/ready\/path must match pattern/,
    ],
    [
      JSON.stringify({ ...good, workers: "many" }),
      /\/workers must be equal to one of .*: configurable, one, unlimited$/,
    ],
    [JSON.stringify({ ...good, start: ["x", "{PROT}"] }), /the placeholder \{PROT\} is unknown/],
    [
      JSON.stringify({ ...good, prepare: [["x", "{WORKERS}"]] }),
      /the placeholder \{WORKERS\} is unknown$/,
    ],
    [JSON.stringify(good), /its id "x" is not its folder's name/],
  ];
  try {
    await rejects(readManifest(path), /Cannot read the manifest/);
    for (const [text, message] of cases) {
      await Deno.writeTextFile(path, text);
      await rejects(readManifest(path), { name: "UsageError", message });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("sources are all files but what people and tools make of them", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const sources = ["Cargo.toml", "main.rs", "server/routes.rs", "src/target/mod.rs"];
    const made = [
      "target/debug/app",
      "node_modules/x/index.js",
      ".git/HEAD",
      "results/a.json",
      ".stampede/x",
    ];
    for (const path of [...sources, ...made]) {
      await Deno.mkdir(join(folder, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, path), path);
    }
    const found = await readSources(folder);
    deepStrictEqual(found.map(({ path }) => path), sources);
    await writeSources(found, join(folder, "copy"));
    const copied = await readSources(join(folder, "copy"));
    strictEqual(digest(copied, {}), digest(found, {}));
    notStrictEqual(digest(found.slice(1), {}), digest(found, {}));
    notStrictEqual(digest(found, { command: "another" }), digest(found, {}));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test({
  name: "pipes and devices are no sources, and a file that is too large is named",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.symlink("/dev/zero", join(folder, "zero"));
      await new Deno.Command("mkfifo", { args: [join(folder, "pipe")] }).output();
      await Deno.writeTextFile(join(folder, "main.rs"), "");
      deepStrictEqual((await readSources(folder)).map(({ path }) => path), ["main.rs"]);
      await Deno.truncate(join(folder, "main.rs"), 2 ** 30);
      await rejects(readSources(folder), {
        name: "Failure",
        message: /^Cannot read the source .*main\.rs: it has more than 256 MiB$/,
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "a link to nothing is no source, and one to a folder around it is not followed",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.mkdir(join(folder, "server"));
      await Deno.writeTextFile(join(folder, "server", "main.rs"), "");
      await Deno.symlink("me@host.1234:5678", join(folder, "server", ".#main.rs")); // as Emacs locks a file
      await Deno.symlink(folder, join(folder, "server", "all"));
      await Deno.symlink("../..", join(folder, "server", "above"));
      await Deno.symlink("server", join(folder, "other"));
      const paths = (await readSources(folder)).map(({ path }) => path);
      deepStrictEqual(paths, ["other/main.rs", "server/main.rs"]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
