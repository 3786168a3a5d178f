/**
 * JSON Schemas whose types the compiler knows: one source of both. The functions here build a schema,
 * `Static` is the type of what it takes, and `document` is what is published of it.
 */

declare const TYPE: unique symbol;
const DEFINITION = Symbol("definition");

/** A JSON Schema that takes values of the type `T`. */
export interface Schema<T = unknown> {
  readonly [keyword: string]: unknown;
  /** Never there: for the compiler alone. */
  readonly [TYPE]?: T;
  /** What is referred to, where this is a reference. */
  readonly [DEFINITION]?: { readonly name: string; readonly schema: Schema };
}

type Keywords = Readonly<Record<string, unknown>>;

/** The type of what a schema takes. */
export type Static<S extends Schema> = S extends Schema<infer T> ? T : never;

/** A property's schema and what it says. */
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
/** A moment, ISO 8601 in UTC. */
export const instant: Schema<string> = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const flag: Schema<boolean> = { type: "boolean" };
export const number: Schema<number> = { type: "number" };
/** Not negative. */
export const amount: Schema<number> = { type: "number", minimum: 0 };
export const positive: Schema<number> = { type: "number", exclusiveMinimum: 0 };
/** From 0 to 1. */
export const share: Schema<number> = { type: "number", minimum: 0, maximum: 1 };
/** A whole number, from 0. */
export const count: Schema<number> = { type: "integer", minimum: 0 };
/** A whole number, from 1. */
export const ordinal: Schema<number> = { type: "integer", minimum: 1 };

/** What the schema takes, up to this. */
export function upTo(maximum: number, schema: Schema<number>): Schema<number> {
  return { ...schema, maximum };
}

/** A string that has this form. */
export function matching({ source }: RegExp): Schema<string> {
  return { type: "string", pattern: source };
}

/** This value alone. */
export function literal<const V extends number>(value: V): Schema<V> {
  return { const: value };
}

/** One of these strings. */
export function oneOf<const V extends readonly string[]>(...values: V): Schema<V[number]> {
  return { enum: values };
}

/** What the schema takes, or null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  const { type } = schema;
  return typeof type === "string"
    ? { ...schema, type: [type, "null"] }
    : { anyOf: [schema, { type: "null" }] };
}

/** @param keywords of the list itself, such as `minItems` */
export function list<T>(items: Schema<T>, keywords: Keywords = {}): Schema<readonly T[]> {
  return { type: "array", items, ...keywords };
}

/** An object with any names. */
export function record<T>(
  values: Schema<T>,
  keywords: Keywords = {},
): Schema<Readonly<Record<string, T>>> {
  return { type: "object", additionalProperties: values, ...keywords };
}

/** A property that may be missing, and then is filled in as this, with the defaults within it. */
export function withDefault<T>(schema: Schema<T>, value: NoInfer<Partial<T>>): Schema<T> {
  return { ...schema, default: value };
}

/** A property that may be missing, and then stays so. */
export function optional<T>(schema: Schema<T>): Schema<T> & Optional {
  return { ...schema, isOptional: true };
}

/** An object of these properties, each with its description, and of no other. */
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

/** The same, with a name in what is published. */
export function object<P extends Properties>(
  name: string,
  description: string,
  properties: P,
  keywords: Keywords = {},
): Schema<Shape<P>> {
  return named(name, unnamed(description, properties, keywords));
}

/** What several objects have in common, to be spread into each. */
export function properties<P extends Properties>(properties: P): P {
  return properties;
}

type Kinds = Readonly<Record<string, readonly [description: string, properties: Properties]>>;
type OneOfKinds<K extends Kinds> = {
  [N in keyof K]: Flat<{ readonly kind: N } & Shape<K[N][1]>>;
}[keyof K];

/** One of several objects that their `kind` tells apart. */
export function kinds<const K extends Kinds>(variants: K): Schema<OneOfKinds<K>> {
  return {
    anyOf: Object.entries(variants).map(([kind, [description, properties]]) =>
      unnamed(description, { kind: [{ const: kind }, "Which kind it is."], ...properties })
    ),
  };
}

/** What any of these takes. */
export function union<S extends readonly Schema[]>(
  description: string,
  ...schemas: S
): Schema<Static<S[number]>> {
  return { description, anyOf: schemas.flatMap((schema) => schema.anyOf ?? [schema]) };
}

/** What the schema takes, by a name in what is published. */
export function named<T>(name: string, schema: Schema<T>): Schema<T> {
  return { ...reference<T>(name), [DEFINITION]: { name, schema } };
}

/** What has this name, where it cannot be had yet: within itself. */
export function reference<T>(name: string): Schema<T> {
  return { $ref: `#/$defs/${name}` };
}

/** A schema with all that it refers to, as it is published. */
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
