/** The findings of `stampede doctor`. */
import type { Finding } from "../model/report.ts";
import { count, gibibytes, share } from "../model/text.ts";
import type { MachineFacts } from "./facts.ts";

/** Cores without a warning: one each for server, database, generator, and all other programs. */
const ENOUGH_CORES = 4;
/** Load average per logical CPU above which the machine is busy before the run. */
const LOAD_PER_CPU = 0.3;
/** Share of the last 10 s with a waiting task above which the machine is busy; 0 if it is idle. */
const MAX_PRESSURE = 0.1;
/** Share of CPU time since boot that the virtual machine's host may take without a warning. */
const MAX_STEAL = 0.01;
/** Share of the ports for outgoing connections that may be in TIME_WAIT; new ones need ports. */
const MAX_TIME_WAIT = 0.25;
/** Share of memory that is available. Below it, Stampede warns if swap is in use. */
const LITTLE_MEMORY = 0.1;

type Needs = { readonly connections: number };
type UnnamedFinding = Omit<Finding, "name">;

const ok = (found: string): UnnamedFinding => ({ status: "ok", found, advice: null });
const warn = (found: string, advice: string): UnnamedFinding => ({ status: "warn", found, advice });
const unknown = (found = "this system does not report it"): UnnamedFinding => ({
  status: "unknown",
  found,
  advice: null,
});

/** Checks of the machine by the name of the aspect, in order. */
const ASPECTS: Readonly<Record<string, (facts: MachineFacts, needs: Needs) => UnnamedFinding>> = {
  cores({ cores, allowedCpus, logicalCpus }): UnnamedFinding {
    const cpus = allowedCpus?.length ?? logicalCpus;
    const number = cores?.length ?? cpus;
    const allowed = cpus < logicalCpus
      ? ` (${cpus} of ${logicalCpus} logical CPUs are allowed)`
      : "";
    const found = count(number, cores === null ? "logical CPU" : "core") + allowed;
    if (number >= ENOUGH_CORES) {
      return cores === null ? unknown(`${found}; the number of cores is unknown`) : ok(found);
    }
    return warn(
      `${found}, shared by server, database and load generator`,
      `use at least ${ENOUGH_CORES} cores; with fewer, a rate is that of server, database and ` +
        "load generator together",
    );
  },
  SMT({ smt, virtual }): UnnamedFinding {
    if (smt === true) {
      return warn(
        "on: two logical CPUs of a core slow each other down",
        "`--pin` gives each component separate cores; to turn SMT off until the next boot: " +
          "`echo off | sudo tee /sys/devices/system/cpu/smt/control`",
      );
    }
    if (smt === null) return unknown();
    return virtual === false
      ? ok("no core runs several logical CPUs")
      : unknown("none visible, but a virtual machine may hide it");
  },
  governor({ governors }): UnnamedFinding {
    if (governors === null) return unknown();
    if (governors.every((name) => name === "performance")) return ok("performance");
    return warn(
      `${governors.join(", ")}: the clock follows the load`,
      "`sudo cpupower frequency-set -g performance`",
    );
  },
  turbo({ turbo }): UnnamedFinding {
    if (turbo === null) return unknown();
    if (!turbo.on) return ok("off");
    return warn(
      "on: the clock depends on temperature and on how many cores are busy",
      `\`echo ${turbo.off} | sudo tee ${turbo.control}\``,
    );
  },
  virtualisation({ virtual, stealShare }): UnnamedFinding {
    const machine = virtual === true ? "a virtual machine" : "perhaps a virtual machine";
    const stolen = stealShare ?? 0;
    const found = `${machine}; its host took ${share(stolen)} of the CPU time since boot`;
    if (stolen > MAX_STEAL) {
      return warn(found, "use a physical machine, or a virtual one with dedicated cores");
    }
    if (virtual === false) return ok("none found");
    if (virtual === null) return unknown();
    // Hyper-V and others report 0, even if the host takes CPU time.
    return stolen > 0
      ? ok(found)
      : unknown(`${machine}; the CPU time that its host takes is unknown`);
  },
  load({ load1, cpuPressure, logicalCpus }): UnnamedFinding {
    if (load1 === null) return unknown();
    const waited = cpuPressure === null
      ? ""
      : `; in ${share(cpuPressure)} of the last 10 s a task waited for a CPU`;
    const found = `load of ${load1.toFixed(2)} on ${count(logicalCpus, "CPU")}${waited}`;
    const isBusy = load1 > LOAD_PER_CPU * logicalCpus || (cpuPressure ?? 0) > MAX_PRESSURE;
    if (!isBusy) return ok(found);
    return warn(
      `busy before the run: ${found}`,
      "stop other programs (`top` shows them), or wait a minute after a run of Stampede",
    );
  },
  "CPU quota"({ quota }): UnnamedFinding {
    if (quota === null) return unknown();
    if (quota.cores === "unlimited") return ok("none visible from here");
    const throttled = quota.throttledS === null
      ? ""
      : `; stopped for ${quota.throttledS.toFixed(1)} s so far`;
    return warn(
      `at most the time of ${count(Number(quota.cores.toFixed(2)), "core")}${throttled}`,
      "a program that has used up its quota pauses until the next period: give the container whole cores " +
        "instead: `docker run --cpuset-cpus 0-3`, without `--cpus`",
    );
  },
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
    const others = (["wrk", "oha"] as const).filter((name) => tools[name]).join(", ");
    const generators = `other load generators: ${others || "none"}`;
    if (tools.taskset) return ok(`taskset; ${generators}`);
    return warn(
      `no taskset, which \`--pin\` needs; ${generators}`,
      os === "linux"
        ? "install util-linux (`sudo apt install util-linux`)"
        : "pinning needs Linux; elsewhere programs may move between cores",
    );
  },
};

/** Returns a finding for each aspect. Stampede changes no setting; the advice has the command. */
export function diagnose(facts: MachineFacts, needs: Needs): Finding[] {
  return Object.entries(ASPECTS).map(([name, judge]) => ({ name, ...judge(facts, needs) }));
}

/** Maximum `asleepUs / awakeUs`. Above it, a third of the measured time is the wake-up of programs. */
const TOO_SLOW = 1.5;

/**
 * Judges how long this machine takes to wake a waiting program, by the microseconds for a message and
 * its response: if processors may sleep, and if they are kept awake (null if they cannot be). A text
 * says why nothing was measured.
 */
export function wakeUps(
  measured: { readonly asleepUs: number; readonly awakeUs: number | null } | string,
): Finding {
  const name = "wake-ups";
  if (typeof measured === "string") return { name, ...unknown(measured) };
  const { asleepUs, awakeUs } = measured;
  const found = `a message after a silence and its response take ${Math.round(asleepUs)} µs${
    awakeUs === null ? "" : `, and ${Math.round(awakeUs)} µs if processors are kept awake`
  }`;
  const isSlow = awakeUs !== null && asleepUs > TOO_SLOW * awakeUs;
  const advice = "Windows include this time after each wait, slices do not: " +
    "trust Rel. CPU and ratios more than Req/Sec and CPU/req";
  return { name, ...(isSlow ? warn(found, advice) : ok(found)) };
}
