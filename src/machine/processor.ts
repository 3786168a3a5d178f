import { count, share } from "../model/format.ts";
import { type Aspect, ok, unknown, type UnnamedFinding, warn } from "./finding.ts";

/**
 * Minimum number of cores without a warning: one each for server, database, generator, and all other
 * programs.
 */
const ENOUGH_CORES = 4;
/** Load average per logical CPU above which Stampede warns that the machine is busy before the run. */
const LOAD_PER_CPU = 0.3;
/**
 * Share of the last 10 s with a task that waited for a CPU. Above it, Stampede warns that the machine is busy
 * before the run. On an idle machine the share is 0.
 */
const MAX_PRESSURE = 0.1;
/** Share of CPU time since boot that the virtual machine's host took. Above it, Stampede warns. */
const MAX_STEAL = 0.01;

/** Checks of the processor, by the name of the aspect. */
export const PROCESSOR: Readonly<Record<string, Aspect>> = {
  cores({ cores, allowedCpus, logicalCpus }): UnnamedFinding {
    const cpus = allowedCpus?.length ?? logicalCpus;
    const number = cores?.length ?? cpus;
    const allowed = cpus < logicalCpus
      ? ` (${cpus} of ${logicalCpus} logical CPUs are allowed)`
      : "";
    const found = count(number, cores === null ? "logical CPU" : "core") + allowed;
    if (number < ENOUGH_CORES) {
      return warn(
        `${found}, shared by server, database and load generator`,
        `use at least ${ENOUGH_CORES} cores; with fewer, a rate is that of server, database and ` +
          "load generator together",
      );
    }
    return cores === null ? unknown(`${found}; the number of cores is unknown`) : ok(found);
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
    if (stealShare !== null && stealShare > MAX_STEAL) {
      return warn(
        `${machine}; its host took ${share(stealShare)} of the CPU time since boot`,
        "use a physical machine, or a virtual one with dedicated cores",
      );
    }
    if (virtual === false) return ok("none found");
    if (virtual === null) return unknown();
    // Hyper-V and others report 0, even if the host takes CPU time.
    if (!stealShare) {
      return unknown(`${machine}; the CPU time that its host takes is unknown`);
    }
    return ok(`${machine}; its host took ${share(stealShare)} of the CPU time since boot`);
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
};
