/**
 * Waits for all promises, so that nothing still starts when one of them has failed. Throws the first error, in
 * the order of the promises.
 */
export async function allOf<T extends readonly unknown[]>(
  promises: { readonly [K in keyof T]: Promise<T[K]> },
): Promise<T> {
  const ends = await Promise.allSettled(promises);
  return ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  }) as unknown as T;
}
