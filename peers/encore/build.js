/** Builds what `encore build docker` would put into an image, without Docker. */
import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";

function encore(...args) {
  return execFileSync("encore", args, { stdio: ["ignore", "pipe", "inherit"] });
}

encore("check"); // bundles the services, and sees whether they start
writeFileSync("meta.pb", encore("debug", "meta"));

const [, library] = /^ENCORE_RUNTIME_LIB=(.+)$/m.exec(encore("daemon", "env"));
symlinkSync(library, "encore-runtime.node");
