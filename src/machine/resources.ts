import { count, gibibytes, share } from "../model/format.ts";
import { type Aspect, ok, unknown, type UnnamedFinding, warn } from "./finding.ts";

/**
 * Share of the ports for outgoing connections that closed connections occupy (TIME_WAIT). Above it, Stampede
 * warns, because new connections may run out of ports.
 */
const MAX_TIME_WAIT = 0.25;
/** Share of memory that is available. Below it, Stampede warns if swap is in use. */
const LITTLE_MEMORY = 0.1;

/** Checks of the machine's other resources, by the name of the aspect. */
export const RESOURCES: Readonly<Record<string, Aspect>> = {
  "open files"({ openFiles }, { connections }): UnnamedFinding {
    if (openFiles === null) return unknown();
    // Connections to the server, connections from the server to a database, and others.
    const needed = 2 * connections + 101;
    const found = `a limit of ${openFiles}, ${needed} needed for ${connections} connections`;
    if (openFiles === "unlimited" || openFiles >= needed) return ok(found);
    return warn(found, `\`sudo prlimit --pid $$ --nofile=${needed}:${needed}\` in this shell`);
  },

  "listen backlog"({ somaxconn }, { connections }): UnnamedFinding {
    if (somaxconn === null) return unknown();
    const found = `${somaxconn}, for ${count(connections, "connection")} at once`;
    if (somaxconn >= connections) return ok(found);
    return warn(found, `\`sudo sysctl -w net.core.somaxconn=${connections}\``);
  },

  ports({ portRange, timeWait }): UnnamedFinding {
    if (portRange === null || timeWait === null) return unknown();
    const ports = portRange.last - portRange.first + 1;
    const found = `${timeWait} of ${ports} (${share(timeWait / ports)}) in TIME_WAIT`;
    if (timeWait <= MAX_TIME_WAIT * ports) return ok(found);
    return warn(
      found,
      "wait a minute until they are free, or allow more: " +
        '`sudo sysctl -w net.ipv4.ip_local_port_range="15000 65535"`',
    );
  },

  memory({ memory }): UnnamedFinding {
    if (memory === null) return unknown();
    const { totalBytes, availableBytes, swapUsedBytes } = memory;
    const found = `${gibibytes(availableBytes)} of ${gibibytes(totalBytes)} available, ` +
      `${gibibytes(swapUsedBytes)} of swap in use`;
    if (swapUsedBytes <= 0 || availableBytes >= LITTLE_MEMORY * totalBytes) return ok(found);
    return warn(
      found,
      "stop the programs that use the memory (`ps aux --sort=-rss | head` shows them)",
    );
  },

  power({ power, virtual }): UnnamedFinding {
    if (power === "battery") return warn("on battery, which slows the clock", "plug it in");
    if (power === "mains") return ok("plugged in");
    if (power === null) return unknown();
    return virtual === false
      ? ok("no battery")
      : unknown("no battery visible, but a virtual machine does not see its host's");
  },

  tools({ tools, os }): UnnamedFinding {
    const others = [tools.wrk ? "wrk" : "", tools.oha ? "oha" : ""].filter((name) => name !== "");
    const generators = `other load generators: ${others.join(", ") || "none"}`;
    if (tools.taskset) return ok(`taskset; ${generators}`);
    return warn(
      `no taskset, which \`--pin\` needs; ${generators}`,
      os === "linux"
        ? "install util-linux (`sudo apt install util-linux`)"
        : "pinning needs Linux; elsewhere programs may move between cores",
    );
  },
};
