import type { MachineFacts } from "./facts.ts";

/** A machine without problems that reports everything. */
export const QUIET: MachineFacts = {
  os: "linux",
  logicalCpus: 4,
  allowedCpus: [0, 1, 2, 3],
  cores: [[0], [1], [2], [3]],
  smt: false,
  governors: ["performance"],
  turbo: { on: false, control: "/sys/devices/system/cpu/cpufreq/boost", off: "0" },
  virtual: false,
  cpuSignature: null,
  stealShare: 0,
  load1: 0.1,
  cpuPressure: 0.001,
  quota: { cores: "unlimited", throttledS: 0 },
  openFiles: 20_000,
  somaxconn: 4096,
  portRange: { first: 32_768, last: 60_999 },
  timeWait: 12,
  memory: { totalBytes: 16 * 2 ** 30, availableBytes: 12 * 2 ** 30, swapUsedBytes: 0 },
  power: "mains",
  tools: { taskset: true, wrk: true, oha: false },
};

/** A machine that reports almost nothing. */
export const SILENT: MachineFacts = {
  os: "windows",
  logicalCpus: 8,
  allowedCpus: null,
  cores: null,
  smt: null,
  governors: null,
  turbo: null,
  virtual: null,
  cpuSignature: null,
  stealShare: null,
  load1: null,
  cpuPressure: null,
  quota: null,
  openFiles: null,
  somaxconn: null,
  portRange: null,
  timeWait: null,
  memory: null,
  power: null,
  tools: { taskset: false, wrk: false, oha: false },
};
