/** Builds what `encore build docker` would put into an image, without Docker. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";

function encore(...args) {
  return execFileSync("encore", args, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Encore's daemons, by their process ids; none where there is no /proc. */
function daemons() {
  try {
    return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid)).filter((pid) => {
      try {
        return /encore\0daemon\0-f/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
      } catch {
        return false; // it has ended
      }
    });
  } catch {
    return [];
  }
}

const before = daemons();
try {
  encore("check"); // bundles the services, and sees whether they start
  writeFileSync("meta.pb", encore("debug", "meta"));
  const [, library] = /^ENCORE_RUNTIME_LIB=(.+)$/m.exec(encore("daemon", "env"));
  rmSync("encore-runtime.node", { force: true });
  symlinkSync(library, "encore-runtime.node");
} finally {
  // The command starts a daemon that would stay
  for (const pid of daemons().filter((pid) => !before.includes(pid))) process.kill(Number(pid));
}
