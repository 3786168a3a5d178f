/**
 * How long each arrival waits for a server that takes equally long for each, one after the other: Lindley's
 * recursion, https://en.wikipedia.org/wiki/Lindley_equation. With Poisson arrivals that is the queue
 * M/D/1.
 *
 * @param arrivals their times, in order
 * @param service how long each is served, in the same unit
 */
export function waitsOf(arrivals: Iterable<number>, service: number): number[] {
  const waits: number[] = [];
  let freeAt = -Infinity;
  for (const at of arrivals) {
    const wait = Math.max(0, freeAt - at);
    waits.push(wait);
    freeAt = at + wait + service;
  }
  return waits;
}
