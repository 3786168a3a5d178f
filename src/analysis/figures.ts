/** Figures of one window: rates, CPU time and shares. */
import type { Measurement, WindowRecord } from "../model/raw.ts";

/** Returns the number of the generator's responses, of any status. */
export function responsesOf({ statuses }: Measurement): number {
  return Object.values(statuses).reduce((total, count) => total + count, 0);
}

/** Returns the number of the generator's responses with a 2xx status. */
export function successesOf({ statuses }: Measurement): number {
  return Object.entries(statuses).reduce(
    (total, [status, count]) => isSuccess(status) ? total + count : total,
    0,
  );
}

/** Returns whether an HTTP status code is 2xx. */
export function isSuccess(status: string): boolean {
  return status.length === 3 && status.startsWith("2");
}

/** Returns responses with a 2xx status per second, of the generator and the probe. */
export function requestsPerS({ measurement, probe }: WindowRecord): number {
  return successesOf(measurement) / measurement.durationS +
    (probe.responses > 0 ? probe.responses / probe.durationS : 0);
}

/**
 * Returns responses of any status per second, of the generator and the probe. CPU time per response is
 * relative to it.
 */
export function responsesPerS({ measurement, probe }: WindowRecord): number {
  const probed = probe.responses + probe.errors;
  return responsesOf(measurement) / measurement.durationS +
    (probed > 0 ? probed / probe.durationS : 0);
}

/** Returns the server's CPU time per response, in microseconds; null if unknown. */
export function serverCpuUs(window: WindowRecord): number | null {
  if (window.beside) return null; // the CPU time cannot be split between the two loads
  const { durationS = 0, server = null } = window.usage ?? {};
  const perS = responsesPerS(window);
  return server && perS > 0 ? (server.userUs + server.systemUs) / durationS / perS : null;
}

/** Returns the load generator's CPU time per response, in microseconds; null if unknown. */
export function generatorCpuUs({ measurement, usage }: WindowRecord): number | null {
  const { durationS = 0, generator = null } = usage ?? {};
  const perS = responsesOf(measurement) / measurement.durationS;
  return generator && perS > 0 ? (generator.userUs + generator.systemUs) / durationS / perS : null;
}

/** Returns the kernel's share of the server's CPU time, 0 to 1; null if unknown. */
export function systemShare({ usage }: WindowRecord): number | null {
  const { userUs = 0, systemUs = 0 } = usage?.server ?? {};
  return userUs + systemUs === 0 ? null : systemUs / (userUs + systemUs);
}

/**
 * Maximum mean latency with which Little's law is used, as a share of the window. If responses take longer, a
 * window has too few of them on each connection.
 */
const LONG_RESPONSE = 0.1;

/**
 * Returns the share of connections with a pending request, by Little's law. Null without latencies, or if
 * responses are long compared with the window.
 */
export function little({ measurement }: WindowRecord, connections: number): number | null {
  const { latency, durationS } = measurement;
  const { meanUs = null } = latency ?? {};
  const meanS = meanUs === null ? null : meanUs / 1e6;
  if (meanS === null || meanS > LONG_RESPONSE * durationS) return null;
  return responsesOf(measurement) / durationS * meanS / connections;
}

/**
 * Returns by how much the rate in the second half of a window exceeds that in the first, as a share. Null if
 * the window is too short. A clear increase in most rounds shows that the server was still warming up
 * (trends.ts has the limits).
 */
export function trend({ measurement: { slicesPerS } }: WindowRecord): number | null {
  const half = Math.floor(slicesPerS.length / 2);
  if (half < 2) return null;
  const first = sum(slicesPerS.slice(0, half));
  return first === 0 ? null : sum(slicesPerS.slice(-half)) / first - 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
