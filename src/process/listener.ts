/**
 * Finds the process that listens on a port, on Linux: sockets from /proc/net, their owners from /proc.
 *
 * https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
 */
import { listFolder, readText } from "./files.ts";
import { familyOf, readProcesses } from "./tree.ts";

/** State of a listening socket in /proc/net/tcp (`TCP_LISTEN`). */
const LISTENS = "0A";

/**
 * Returns the process that listens on a TCP port. If several processes share the port, it is their
 * common ancestor. Null if none is visible, or if they are unrelated.
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

/**
 * Returns the sockets that listen on a port, as the links in /proc/PID/fd name them, for example
 * `socket:[4711]`.
 */
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
  // Null if the process has ended, or belongs to another user
  return listFolder(`/proc/${pid}/fd`)?.some((name) => {
    try {
      return sockets.has(Deno.readLinkSync(`/proc/${pid}/fd/${name}`));
    } catch {
      return false; // it was closed in the meantime
    }
  }) ?? false;
}
