/**
 * The queue M/D/1: Poisson arrivals, one server, every service equally long. Times are in units of that
 * service; `load` is arrivals in the time of a service, at least 0 and below 1.
 */

/** Beyond this, nobody waits with a probability that matters. */
const NEGLIGIBLE = 1e-12;
/** Bisection ends when it knows a quantile as well as this. */
const EXACT = 1e-9;

/**
 * The probability that an arrival waits no longer than `time`, to 1e-9 up to a load of 0.95:
 * Franx, [A simple solution for the M/D/c waiting time
 * distribution](https://doi.org/10.1016/S0167-6377(01)00108-0), here for one server.
 *
 * @throws {RangeError} unless there is room for the load.
 */
export function waitsAtMost(time: number, load: number): number {
  if (!(load >= 0 && load < 1)) throw new RangeError(`A queue cannot bear a load of ${load}`);
  if (time < 0) return 0;
  const services = Math.floor(time) + 1;
  const waiting = queueOf(load, services);
  const mean = load * (services - time);
  let [term, sum] = [Math.exp(-mean), 0];
  for (let j = 0; j < services; j++) {
    sum += term * (waiting[services - 1 - j] ?? 1);
    term *= mean / (j + 1);
  }
  return Math.min(1, sum);
}

/**
 * The wait that a share of arrivals does not exceed, 0 to 1 (excluded).
 *
 * @throws {RangeError} unless there is room for the load.
 */
export function waitQuantile(share: number, load: number): number {
  let [low, high] = [0, 1];
  if (waitsAtMost(0, load) >= share) return 0;
  while (waitsAtMost(high, load) < share) high *= 2;
  while (high - low > EXACT * high) {
    const middle = (low + high) / 2;
    if (waitsAtMost(middle, load) < share) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The probability that at most so many wait in line, for 0, 1, 2, and so on; the last one is nearly 1. From
 * the chain of those that are left behind at the end of each service
 * ([Wikipedia](https://en.wikipedia.org/wiki/M/D/1_queue)).
 *
 * @param most how many of them are wanted
 */
function queueOf(load: number, most: number): number[] {
  const arrivals = [Math.exp(-load)]; // in a service, by their number
  const inSystem = [1 - load];
  const waiting: number[] = [];
  let total = 1 - load;
  for (let n = 0; n < most && 1 - total > NEGLIGIBLE; n++) {
    arrivals.push((arrivals[n] ?? 0) * load / (n + 1));
    let next = (inSystem[n] ?? 0) - (inSystem[0] ?? 0) * (arrivals[n] ?? 0);
    for (let i = 1; i <= n; i++) next -= (inSystem[i] ?? 0) * (arrivals[n - i + 1] ?? 0);
    inSystem.push(Math.max(0, next / (arrivals[0] ?? 1)));
    total += inSystem[n + 1] ?? 0;
    waiting.push(total);
  }
  return waiting;
}
