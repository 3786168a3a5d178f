/** What one window says by itself: rates, costs, shares. */
import type { Measurement, WindowRecord } from "../model/raw.ts";

/** Responses of the generator, of any status. */
export function responsesOf({ statuses }: Measurement): number {
  return Object.values(statuses).reduce((total, count) => total + count, 0);
}

/** Responses of the generator with a 2xx status. */
export function successesOf({ statuses }: Measurement): number {
  return Object.entries(statuses).reduce(
    (total, [status, count]) => isSuccess(status) ? total + count : total,
    0,
  );
}

/** Whether a status code means success. */
export function isSuccess(status: string): boolean {
  return status.length === 3 && status.startsWith("2");
}

/** Responses with a 2xx status per second, of the generator and of the probe. */
export function requestsPerS({ measurement, probe }: WindowRecord): number {
  return successesOf(measurement) / measurement.durationS +
    (probe.responses > 0 ? probe.responses / probe.durationS : 0);
}

/** Responses per second of any status: what CPU time and statements are divided by. */
export function responsesPerS({ measurement, probe }: WindowRecord): number {
  const probed = probe.responses + probe.errors;
  return responsesOf(measurement) / measurement.durationS +
    (probed > 0 ? probed / probe.durationS : 0);
}

/** The server's CPU time for each response, in microseconds; null where it is not known. */
export function serverCpuUs(window: WindowRecord): number | null {
  if (window.beside) return null; // nobody knows which of the two it was used for
  const { durationS = 0, server = null } = window.usage ?? {};
  const perS = responsesPerS(window);
  return server && perS > 0 ? (server.userUs + server.systemUs) / durationS / perS : null;
}

/** The load generator's own CPU time for a response, in microseconds; null where it is not known. */
export function generatorCpuUs({ measurement, usage }: WindowRecord): number | null {
  const { durationS = 0, generator = null } = usage ?? {};
  const perS = responsesOf(measurement) / measurement.durationS;
  return generator && perS > 0 ? (generator.userUs + generator.systemUs) / durationS / perS : null;
}

/** The kernel's share of the server's CPU time, 0 to 1; null where it is not known. */
export function systemShare({ usage }: WindowRecord): number | null {
  const { userUs = 0, systemUs = 0 } = usage?.server ?? {};
  return userUs + systemUs === 0 ? null : systemUs / (userUs + systemUs);
}

/** With longer responses than this share of a window, it holds too few of each connection's to count. */
const LONG_RESPONSE = 0.1;

/**
 * Little's law: the share of the connections that had a request under way, by the generator; null
 * where it saw nothing, or where responses are long for the window.
 */
export function little({ measurement }: WindowRecord, connections: number): number | null {
  const { latency, durationS } = measurement;
  const { meanUs = null } = latency ?? {};
  const meanS = meanUs === null ? null : meanUs / 1e6;
  if (meanS === null || meanS > LONG_RESPONSE * durationS) return null;
  return responsesOf(measurement) / durationS * meanS / connections;
}

/**
 * By how much the rate of a window's second half exceeds that of its first, as a share; null if it is
 * too short to tell. Above zero in most rounds, it says that the server was still warming up.
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
