/** The settings of each server in its manifest, and the generated lists of docs/settings.md. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest, Server } from "../src/model/server.ts";
import { readText } from "../src/process/files.ts";
import { readCatalog } from "../src/target/catalog.ts";

const PAGE = new URL("../docs/settings.md", import.meta.url);
const PEERS = fileURLToPath(new URL("../peers/", import.meta.url));
const CATALOG = await readCatalog();

/** The fields of a manifest that are its own, so without those that it takes over. */
type Own = Pick<Manifest, "extends" | "id" | "guide"> & {
  readonly settings?: Readonly<Record<string, string | null>>;
};

const OWN: ReadonlyMap<string, Own> = new Map(
  [...CATALOG.keys()].map((id) => [id, JSON.parse(readText(join(PEERS, id, "server.json")) ?? "")]),
);

Deno.test("every server of the suite has a guide and its settings", () => {
  for (const { id, guide, settings } of CATALOG.values()) {
    ok(guide !== null, id);
    ok(Object.keys(settings).length > 1, id);
  }
});

/** Runtimes by the name of the program that starts them. */
const RUNTIMES: Readonly<Record<string, string>> = {
  bun: "Bun",
  deno: "Deno",
  flask: "CPython",
  gunicorn: "CPython",
  java: "JVM",
  node: "Node.js",
  sh: "PHP", // the script of php-fpm
  uvicorn: "CPython",
};

Deno.test("the runtime of a server is that of the program that starts it", () => {
  for (const { id, runtime, start: [program = ""] } of CATALOG.values()) {
    const isBuilt = program.startsWith("bin/");
    strictEqual(runtime, isBuilt ? null : RUNTIMES[basename(program)], id);
  }
});

Deno.test("a setting with the name of a variable or property has the value that the server gets", () => {
  let count = 0;
  for (const { id, env, start, settings } of CATALOG.values()) {
    const properties = start.map((word) => /^-D([\w.]+)=(.*)$/.exec(word) ?? []);
    const given = {
      ...env,
      ...Object.fromEntries(properties.map(([, name, value]) => [name, value])),
    };
    for (const [name, text] of Object.entries(settings)) {
      const value = given[name]?.replaceAll(/[{}]/g, "");
      // TCP_NODELAY=1 is a variable of two servers, and a setting of all
      if (value === undefined || name === "TCP_NODELAY") continue;
      count++;
      ok(
        text === value || text.startsWith(`${value},`) || text.startsWith(`${value};`),
        `${id}: ${name}`,
      );
    }
    strictEqual(env.TCP_NODELAY === "1", settings.TCP_NODELAY?.startsWith("on; ") ?? false, id);
    strictEqual(env.NODE_ENV ?? null, settings.NODE_ENV?.split(",")[0] ?? null, id);
  }
  ok(count > 20, String(count));
});

Deno.test("docs/settings.md has the settings of all manifests (UPDATE=1 writes them)", async () => {
  const section = /(?<=<!-- settings -->\n)[^]*?(?=\n<!-- deno-fmt-ignore-end -->)/;
  if (Deno.env.has("UPDATE")) {
    const text = await Deno.readTextFile(PAGE);
    await Deno.writeTextFile(PAGE, text.replace(section, settingsLists));
  }
  strictEqual(section.exec(await Deno.readTextFile(PAGE))?.[0], settingsLists());
});

Deno.test("the page takes pinned versions from the files of each package manager", () => {
  const expected = ["express", "gin", "rust-axum", "flask", "fastapi", "ktor", "bun", "hono-bun"];
  deepStrictEqual(expected.filter((id) => versionsOf(CATALOG.get(id) as Server).length === 0), []);
});

/** Returns a list for each language as Markdown, the servers that others extend first. */
function settingsLists(): string {
  const languages = Map.groupBy(
    [...CATALOG.values()].sort((a, b) => depthOf(a.id) - depthOf(b.id) || (a.id < b.id ? -1 : 1)),
    ({ language }) => language.replace(/^(Java|Type)Script$/, "JavaScript and TypeScript"),
  );
  return [...languages].sort(([a], [b]) => a < b ? -1 : 1).map(([language, servers]) => {
    const items = [...Map.groupBy(servers, settingsOf)].map(([text, same]) =>
      `- ${same.map(nameOf).join(", ")}: ${text}`
    );
    return `## ${language}\n\n${items.join("\n")}`;
  }).join("\n\n");
}

/** Returns the number of manifests that a manifest extends directly and indirectly. */
function depthOf(id: string): number {
  const base = baseOf(id);
  return base === undefined ? 0 : 1 + depthOf(base);
}

function baseOf(id: string): string | undefined {
  return OWN.get(id)?.extends?.replace("../", "");
}

/** Returns the id of a server with the versions that its sources pin. */
function nameOf(server: Server): string {
  const versions = versionsOf(server);
  return `\`${server.id}\`${versions.length === 0 ? "" : ` (${versions.join(", ")})`}`;
}

/** Returns a link to a guide, and an inner list of the settings that the manifest does not take over. */
function settingsOf({ id, guide }: Server): string {
  const own = Object.entries(OWN.get(id)?.settings ?? {});
  const set = own.filter(([, value]) => value !== null);
  const removed = own.filter(([, value]) => value === null).map(([name]) => name);
  const base = baseOf(id);
  return [
    [
      `[guide](${guide})`,
      ...(base === undefined ? [] : [`as \`${base}\``]),
      ...(removed.length === 0 ? [] : [`without ${removed.join(", ")}`]),
      ...(base === undefined || set.length === 0 ? [] : ["and"]),
    ].join(", "),
    ...set.map(([name, value]) => `  - ${name}: ${value}`),
  ].join("\n");
}

/** Returns the versions of a server that its sources pin, such as `Express 5.3.0`. */
function versionsOf({ id, sources, versions }: Server): string[] {
  const folder = join(PEERS, id, sources);
  return Object.entries(versions).flatMap(([name, command]) => {
    const version = pinnedVersion(folder, command.join(" "));
    return version === undefined ? [] : [`${name} ${version}`];
  });
}

/** Returns the pinned version of the package that a command names; undefined for installed programs. */
function pinnedVersion(folder: string, command: string): string | undefined {
  const find = (file: string, pattern: RegExp): string | undefined =>
    pattern.exec(readText(join(folder, file)) ?? "")?.[1];
  const match = (pattern: RegExp): string | undefined => pattern.exec(command)?.[1];
  const npm = match(/require\('([^']+)\/package\.json'\)\.version/);
  if (npm !== undefined) return find("package.json", new RegExp(`"${npm}": "(.*)"`));
  const [, prefix, program] = /^(\S*)node_modules\/\.bin\/(\w+) /.exec(command) ?? [];
  if (program !== undefined) {
    return find(`${prefix}package.json`, new RegExp(`"${program}": "(.*)"`));
  }
  const go = match(/^go list .* (\S+)$/);
  if (go !== undefined) return find("go.mod", new RegExp(`${go} v(\\S+)`));
  const crate = match(/^cargo tree .*-p (\S+)$/);
  if (crate !== undefined) {
    return find("Cargo.lock", new RegExp(`name = "${crate}"\nversion = "(.*)"`));
  }
  const property = match(/<([\w.-]+)>/);
  if (property !== undefined) return find("pom.xml", new RegExp(`<${property}>(.*)<`));
  const wheel = match(/version\('(.*)'\)/);
  if (wheel === undefined) return undefined;
  const pattern = new RegExp(`^${wheel}==(\\S+)`, "m");
  return find("requirements.txt", pattern) ?? find("requirements-fastapi.txt", pattern);
}
