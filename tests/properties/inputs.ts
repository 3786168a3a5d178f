/**
 * Random inputs for parsers: `deno task test:inputs` tests each property with 10,000 of
 * them. A failure names the input, as small as it can be made, and the seed that finds it again.
 */
import { ok } from "node:assert/strict";
import fc from "fast-check";

const ASKED = Deno.env.get("STAMPEDE_TEST_INPUTS");
/** For `deno task test`: few inputs and a fixed seed, so that results are reproducible. */
const USUAL = { numRuns: 200, seed: 1 };

/** Tests a property with all inputs of a kind. */
export function holds<T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  property: (input: T) => void | Promise<void>,
): void {
  const options = ASKED === undefined ? USUAL : { numRuns: Number(ASKED) };
  Deno.test(
    `${name} (${options.numRuns} inputs)`,
    () => fc.assert(fc.asyncProperty(inputs, async (input) => await property(input)), options),
  );
}

/**
 * Returns a function's result for an input; undefined if it refuses the input.
 *
 * @throws what the function throws, if that is not its own kind of error.
 */
export async function accepted<T>(
  read: () => T | Promise<T>,
  refusal: new (message: string) => Error,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof refusal && error.constructor === refusal) {
      ok(error.message.trim() !== "", "a refusal without a word");
      return undefined;
    }
    throw error;
  }
}

/** Unusual but possible texts. */
const ODD_TEXTS = ["", "\n", "\r\n", "\0", "-", "0", "-1", "NaN", "1e999", "0x10", "9".repeat(400)];
const ODD_VALUES = [null, "", "\0", -1, 0, 1.5, 1e308, true, [], {}, [null], "__proto__"];

/** A text of which parts are missing, doubled, or others. */
export function damagedText(whole: string): fc.Arbitrary<string> {
  const cut = fc.record({
    at: fc.nat(whole.length),
    length: fc.nat(40),
    by: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(...ODD_TEXTS, whole.slice(0, 200))),
  });
  return fc.array(cut, { minLength: 1, maxLength: 4 }).map((cuts) =>
    cuts.reduce(
      (text, { at, length, by }) => text.slice(0, at) + by + text.slice(at + length),
      whole,
    )
  );
}

/** A JSON document in which values are missing, others, or too many. */
export function damagedJson(whole: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(whole);
  const value = fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue({ maxDepth: 2 }));
  const change = fc.record({
    place: fc.constantFrom(...places),
    how: fc.constantFrom("replace", "remove", "add"),
    value: value,
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const damaged = { document: structuredClone(whole) };
    for (const { place, how, value } of changes) {
      const [last = "", ...rest] = place.toReversed();
      const parent = rest.reduceRight(memberOf, damaged as unknown);
      if (typeof parent !== "object" || parent === null) continue;
      if (how === "remove") Reflect.deleteProperty(parent, last);
      else Reflect.set(parent, how === "add" ? `${last}x` : last, structuredClone(value));
    }
    return damaged.document;
  });
}

/** The paths of all that is in a document, itself first. */
function placesIn(value: unknown, path: readonly string[] = ["document"]): string[][] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [[...path], ...inner.flatMap(([key, inside]) => placesIn(inside, [...path, key]))];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
