/**
 * Returns the waiting time of each arrival at a server that serves one arrival after the other. The service
 * time is constant. With Poisson arrivals, this is the queue M/D/1. Uses Lindley's recursion:
 * https://en.wikipedia.org/wiki/Lindley_equation
 *
 * @param arrivals arrival times, in order
 * @param service service time of each arrival, in the same unit
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
