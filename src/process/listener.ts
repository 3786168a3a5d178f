/**
 * Who listens at a port of this machine, on Linux: sockets from /proc/net, and who holds them from /proc.
 * https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
 */
import { familyOf, readProcesses, readText } from "./tree.ts";

/** `TCP_LISTEN` in /proc/net/tcp. */
const LISTENS = "0A";

/**
 * The process that listens at a TCP port, without those that it has started: several that share a port have
 * one that began. Null where nobody is seen, or several that have nothing to do with each other.
 */
export function findListener(port: number): number | null {
  const processes = Deno.build.os === "linux" ? readProcesses() : null;
  if (processes === null) return null;
  const sockets = listeningSockets(port);
  const holders = [...processes.keys()].filter((pid) => holdsOne(pid, sockets));
  const first = holders.filter((pid) =>
    !familyOf(processes, holders.filter((other) => other !== pid)).includes(pid)
  );
  const [only, ...others] = first;
  return only === undefined || others.length > 0 ? null : only;
}

/** The links that descriptors of such sockets have: `socket:[4711]`. */
function listeningSockets(port: number): Set<string> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const lines = ["tcp", "tcp6"].flatMap((name) =>
    (readText(`/proc/net/${name}`) ?? "").split("\n")
  );
  return new Set(lines.flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === LISTENS && local?.endsWith(`:${hex}`) ? [`socket:[${inode}]`] : [];
  }));
}

function holdsOne(pid: number, sockets: ReadonlySet<string>): boolean {
  if (sockets.size === 0) return false;
  try {
    for (const { name } of Deno.readDirSync(`/proc/${pid}/fd`)) {
      try {
        if (sockets.has(Deno.readLinkSync(`/proc/${pid}/fd/${name}`))) return true;
      } catch {
        // It was closed meanwhile
      }
    }
  } catch {
    // It has ended, or is another user's
  }
  return false;
}
