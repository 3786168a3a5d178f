import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import { oneLine } from "./text.ts";

/**
 * Builds JSON Schemas together with their TypeScript types, from one source. `Static` is the type of a
 * schema's values. `document` makes the published form of a schema.
 */

declare const TYPE: unique symbol;
const DEFINITION = Symbol("definition");

/** A JSON Schema for values of the type `T`. */
export interface Schema<T = unknown> {
  readonly [keyword: string]: unknown;
  /** The type `T`. It exists only for the compiler. */
  readonly [TYPE]?: T;
  /** The named schema that this reference stands for. */
  readonly [DEFINITION]?: { readonly name: string; readonly schema: Schema };
}

type Keywords = Readonly<Record<string, unknown>>;

/** The type of a schema's values. */
export type Static<S extends Schema> = S extends Schema<infer T> ? T : never;

/** A property's schema and description. */
type Property = readonly [schema: Schema, description: string];
type Properties = Readonly<Record<string, Property>>;
type Flat<T> = { [K in keyof T]: T[K] };
type Shape<P extends Properties> = Flat<
  & { readonly [K in keyof P as P[K][0] extends Optional ? never : K]: Static<P[K][0]> }
  & { readonly [K in keyof P as P[K][0] extends Optional ? K : never]?: Static<P[K][0]> }
>;
type Optional = { readonly isOptional: true };

export const text: Schema<string> = { type: "string" };
export const nonEmpty: Schema<string> = { type: "string", minLength: 1 };
/** A time, ISO 8601 in UTC. */
export const instant: Schema<string> = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const flag: Schema<boolean> = { type: "boolean" };
export const number: Schema<number> = { type: "number" };
/** A number that is not negative. */
export const amount: Schema<number> = { type: "number", minimum: 0 };
export const positive: Schema<number> = { type: "number", exclusiveMinimum: 0 };
/** A number from 0 to 1. */
export const share: Schema<number> = { type: "number", minimum: 0, maximum: 1 };
/** An integer from 0. */
export const count: Schema<number> = { type: "integer", minimum: 0 };
/** An integer from 1. */
export const ordinal: Schema<number> = { type: "integer", minimum: 1 };

/** Returns the schema of numbers up to a maximum. */
export function upTo(maximum: number, schema: Schema<number>): Schema<number> {
  return { ...schema, maximum };
}

/** Returns the schema of strings that match a pattern. */
export function matching({ source }: RegExp): Schema<string> {
  return { type: "string", pattern: source };
}

/** Returns the schema of one number. */
export function literal<const V extends number>(value: V): Schema<V> {
  return { const: value };
}

/** Returns the schema of a string that equals one of these. */
export function oneOf<const V extends readonly string[]>(...values: V): Schema<V[number]> {
  return { enum: values };
}

/** Returns a schema that also accepts null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  const { type } = schema;
  return typeof type === "string"
    ? { ...schema, type: [type, "null"] }
    : { anyOf: [schema, { type: "null" }] };
}

/**
 * Returns the schema of a list.
 *
 * @param keywords further keywords of JSON Schema, such as `minItems`
 */
export function list<T>(items: Schema<T>, keywords: Keywords = {}): Schema<readonly T[]> {
  return { type: "array", items, ...keywords };
}

/** Returns the schema of an object with any property names. */
export function record<T>(
  values: Schema<T>,
  keywords: Keywords = {},
): Schema<Readonly<Record<string, T>>> {
  return { type: "object", additionalProperties: values, ...keywords };
}

/**
 * Returns the schema of a property with a default value. Defaults of nested properties fill in the rest of
 * this value.
 */
export function withDefault<T>(schema: Schema<T>, value: NoInfer<Partial<T>>): Schema<T> {
  return { ...schema, default: value };
}

/** Returns the schema of an optional property without a default. */
export function optional<T>(schema: Schema<T>): Schema<T> & Optional {
  return { ...schema, isOptional: true };
}

/**
 * Returns the schema of an object with exactly these properties. It has no name in the published document.
 */
export function unnamed<P extends Properties>(
  description: string,
  properties: P,
  keywords: Keywords = {},
): Schema<Shape<P>> {
  const entries = Object.entries(properties);
  return {
    type: "object",
    description,
    required: entries.filter(([, [schema]]) => !("default" in schema || "isOptional" in schema))
      .map(([name]) => name),
    additionalProperties: false,
    properties: Object.fromEntries(
      entries.map(([name, [{ isOptional: _, ...schema }, description]]) => [
        name,
        { ...schema, description },
      ]),
    ),
    ...keywords,
  };
}

/** Returns the schema of an object with exactly these properties. It has a name in the published document. */
export function object<P extends Properties>(
  name: string,
  description: string,
  properties: P,
  keywords: Keywords = {},
): Schema<Shape<P>> {
  return named(name, unnamed(description, properties, keywords));
}

/** Returns the given properties with their exact type. Several objects can then share them by spreading. */
export function properties<P extends Properties>(properties: P): P {
  return properties;
}

type Kinds = Readonly<Record<string, readonly [description: string, properties: Properties]>>;
type OneOfKinds<K extends Kinds> = {
  [N in keyof K]: Flat<{ readonly kind: N } & Shape<K[N][1]>>;
}[keyof K];

/** Returns the schema of an object of one of several kinds. The property `kind` says which. */
export function kinds<const K extends Kinds>(variants: K): Schema<OneOfKinds<K>> {
  return {
    anyOf: Object.entries(variants).map(([kind, [description, properties]]) =>
      unnamed(description, { kind: [{ const: kind }, "Which kind it is."], ...properties })
    ),
  };
}

/** Returns the schema of values that match any of these schemas. */
export function union<S extends readonly Schema[]>(
  description: string,
  ...schemas: S
): Schema<Static<S[number]>> {
  return { description, anyOf: schemas.flatMap((schema) => schema.anyOf ?? [schema]) };
}

/** Returns a reference to a schema that has a name in the published document. */
export function named<T>(name: string, schema: Schema<T>): Schema<T> {
  return { ...reference<T>(name), [DEFINITION]: { name, schema } };
}

/** Returns a reference to the schema with a name. A schema that contains itself needs such a reference. */
export function reference<T>(name: string): Schema<T> {
  return { $ref: `#/$defs/${name}` };
}

/** Returns the published form of a schema, with the definitions of all named schemas in it. */
export function document(of: Schema, title: string, description: string): Schema {
  const $defs: Record<string, Schema> = {};
  const collect = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { [DEFINITION]: definition } = part as Schema;
    if (definition !== undefined && !(definition.name in $defs)) {
      $defs[definition.name] = definition.schema;
      collect(definition.schema);
    }
    for (const inner of Object.values(part)) collect(inner);
  };
  const schema = of[DEFINITION]?.schema ?? of;
  collect(schema);
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { $schema, title, ...schema, description, $defs };
}

/** Returns the problems of a value; none if it is valid. */
export type Validator = (value: unknown) => readonly Problem[];

/** One problem: its path in the value, and the message. */
export type Problem = Pick<ErrorObject, "instancePath" | "params"> & { readonly message: string };

/** Maximum number of problems in a message. Users fix them one by one. */
const MOST_REPORTED = 5;

/**
 * Returns a validator for a schema. The schema is compiled on first use, because that takes most of a
 * command's start-up time.
 */
export function validatorOf(schema: Schema, options: Options): Validator {
  let validate: ValidateFunction | null = null;
  return (value) => {
    validate ??= new Ajv2020(options).compile(schema);
    try {
      if (validate(value)) return [];
    } catch (error) {
      // A recursive schema recurses as deep as the value
      if (!(error instanceof RangeError)) throw error;
      return [{ instancePath: "", params: {}, message: "is nested too deeply" }];
    }
    return (validate.errors ?? []).map(({ message = "is wrong", ...rest }) => ({
      ...rest,
      message,
    }));
  };
}

/** Returns the problems as one line, with unexpected names and allowed values. */
export function describeProblems(problems: readonly Problem[]): string {
  const texts = problems.slice(0, MOST_REPORTED).map(({ instancePath, message, params }) => {
    const more = params.additionalProperty ?? params.allowedValues?.join(", ");
    return `${instancePath || "it"} ${message}${more === undefined ? "" : `: ${more}`}`;
  });
  const left = problems.length - texts.length;
  return oneLine([...texts, ...(left > 0 ? [`and ${left} more`] : [])].join("; "));
}
