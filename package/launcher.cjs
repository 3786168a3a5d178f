#!/usr/bin/env node
// deno-lint-ignore-file explicit-function-return-type no-console -- JavaScript of Node.js
/**
 * The program `stampede` of the npm package. It finds Deno, copies the sources into the cache once, and
 * runs them there: Deno cannot run TypeScript inside of node_modules. It runs in Node.js and in Deno,
 * and imports little, because each command waits for it.
 */
"use strict";

const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const PACKAGE = path.join(__dirname, "..");
/** `stampede.content` is the hash of the sources, so that two builds of a version have two copies. */
const { name, version, stampede: { content } } = require("../package.json");

/** Oldest Deno that runs the sources. */
const OLDEST_DENO = [2, 9];

/** Exit codes, as in src/model/errors.ts. */
const FAILED = 1;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** Shells add this to the number of a signal. https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_08_02 */
const SIGNALLED = 128;

/** Returns the folder for everything that Stampede keeps: the same one as in src/target/build.ts. */
function cacheFolder() {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const caches = {
    win32: () => LOCALAPPDATA,
    darwin: () => HOME && path.join(HOME, "Library", "Caches"),
  }[process.platform] ?? (() => XDG_CACHE_HOME || (HOME && path.join(HOME, ".cache")));
  const folder = caches();
  if (!folder) throw new Error("There is no folder for its cache: set HOME");
  return path.join(folder, "stampede");
}

/** Copies the sources into the cache, unless they are there, and returns the folder of the copy. */
function copySources(cache) {
  const folder = path.join(cache, "versions", `${version}-${content}`);
  if (fs.existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}.unfinished`;
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  try {
    fs.cpSync(path.join(PACKAGE, "source"), unfinished, { recursive: true });
    fs.renameSync(unfinished, folder);
  } catch (error) {
    // Another process may have finished the same copy
    if (!fs.existsSync(folder)) throw error;
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Returns the path of a program for Deno: the running one, an installed one, or that of npm. */
function findDeno(cache) {
  if (process.versions.deno) return process.execPath;
  return installedDeno(cache) ?? denoOfNpm();
}

/** Returns the first Deno on PATH if it is recent enough. Its version is asked once and then kept. */
function installedDeno(cache) {
  const file = process.platform === "win32" ? "deno.exe" : "deno";
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    let found;
    let stat;
    try {
      found = fs.realpathSync(path.join(folder, file));
      stat = fs.statSync(found);
    } catch {
      continue;
    }
    // Not a script of npm's package, which starts more slowly than its program
    if (!stat.isFile() || found.split(path.sep).includes("node_modules")) continue;
    const known = path.join(cache, "deno.json");
    const identity = `${found} ${stat.mtimeMs} ${stat.size}`;
    let answer = readJson(known);
    if (answer?.identity !== identity) {
      const { stdout } = spawnSync(found, ["--version"], { encoding: "utf8" });
      answer = { identity, version: /^deno (\S+)/.exec(stdout ?? "")?.[1] ?? "" };
      fs.mkdirSync(cache, { recursive: true });
      fs.writeFileSync(known, JSON.stringify(answer));
    }
    const [major = 0, minor = 0] = answer.version.split(".").map(Number);
    const isRecent = major > OLDEST_DENO[0] || major === OLDEST_DENO[0] && minor >= OLDEST_DENO[1];
    return isRecent ? found : null;
  }
  return null;
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/** Returns the program in npm's package of Deno, on which this package depends. */
function denoOfNpm() {
  try {
    const folder = path.dirname(require.resolve("deno/package.json"));
    const file = path.join(folder, process.platform === "win32" ? "deno.exe" : "deno");
    return fs.existsSync(file) ? file : require("deno/install_api.cjs").runInstall();
  } catch (error) {
    throw new Error(
      `npm's package of Deno has no program for this system (${error.message.split("\n")[0]}): ` +
        `install Deno ${OLDEST_DENO.join(".")} or later, see https://docs.deno.com/runtime/`,
    );
  }
}

/** Returns the words that the person typed before the arguments, so that hints can be pasted. */
function typedProgram() {
  const { npm_command, npm_lifecycle_event, npm_lifecycle_script, npm_config_user_agent } =
    process.env;
  if (process.versions.deno) {
    return isOnPath() ? ["stampede"] : ["deno", "run", "-A", `npm:${name}`];
  }
  if (npm_command?.startsWith("run") && npm_lifecycle_script?.trim() === "stampede") {
    const manager = npm_config_user_agent?.split("/")[0] || "npm";
    return [manager, "run", npm_lifecycle_event, ...(manager === "npm" ? ["--"] : [])];
  }
  // npx keeps what it was asked for in the package.json of a folder of its cache
  const asked = readJson(path.join(PACKAGE, "..", "..", "package.json"))?._npx?.packages?.[0];
  if (asked !== undefined) return ["npx", tarballPath(asked) ?? asked];
  return isOnPath() && npm_command === undefined ? ["stampede"] : ["npx", "stampede"];
}

/** Returns the relative path of a tarball that npx was asked for; null if it was asked for a name. */
function tarballPath(asked) {
  if (!/^file:/.test(asked)) return null;
  const file = path.relative(process.cwd(), asked.slice("file:".length));
  return file.startsWith(".") ? file : `./${file}`;
}

function isOnPath() {
  const file = process.platform === "win32" ? "stampede.cmd" : "stampede";
  return (process.env.PATH ?? "").split(path.delimiter)
    .some((folder) => fs.existsSync(path.join(folder, file)));
}

function main() {
  const cache = cacheFolder();
  const deno = findDeno(cache);
  const folder = copySources(cache);
  const child = spawn(deno, [
    "run",
    "--quiet",
    "-A",
    "--config",
    path.join(folder, "deno.json"),
    path.join(folder, "bench.ts"),
    ...process.argv.slice(2),
  ], {
    stdio: "inherit",
    env: {
      ...process.env,
      STAMPEDE_PROGRAM: JSON.stringify(typedProgram()),
      DENO_DIR: process.env.DENO_DIR || path.join(cache, "deno"),
      // Deno would ask the internet for its newest version while something is measured
      DENO_NO_UPDATE_CHECK: "1",
    },
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on("error", fail);
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? SIGNALLED + require("node:os").constants.signals[signal];
  });
}

function fail(error) {
  console.error(`Cannot start Stampede: ${error.message}`);
  process.exitCode = FAILED;
}

try {
  main();
} catch (error) {
  fail(error);
}
