/**
 * Builds types of data together with their JSON Schemas, from one source. An object is declared once:
 * `class Slo extends s.object("A service level objective.", { ... }) {}`. The class is the TypeScript
 * type, and its name is the schema's name in published documents. Such a class has no instances.
 */
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import { oneLine } from "./text.ts";

declare const TYPE: unique symbol;
const DEFINITION = Symbol("definition");

/** A JSON Schema. */
export interface Schema {
  readonly [keyword: string]: unknown;
  /** The named schema to which `$ref` refers. */
  readonly [DEFINITION]?: { readonly name: string; readonly definition: Schema };
}

/** A type of values, with its schema. */
export interface Type<T = unknown> {
  /** The type `T`. It exists only for the compiler. */
  readonly [TYPE]?: T;
  /** The complete schema. */
  readonly definition: Schema;
  /** The schema, or a reference to it if it has a name. */
  readonly schema: Schema;
  /** Returns a property of this type. */
  is<S extends Type>(this: S, description: string): Property<Static<S>>;
  /** Returns a property of this type that can be null. */
  orNull<S extends Type>(this: S, description: string): Property<Static<S> | null>;
  /** Returns an optional property of this type without a default. */
  optional<S extends Type>(this: S, description: string): Property<Static<S>> & Optional;
  /** Returns this type with a default value. Defaults of nested properties fill in the rest of it. */
  byDefault<S extends Type>(this: S, value: NoInfer<Partial<Static<S>>>): Type<Static<S>>;
}

/** The TypeScript type of values. */
export type Static<S extends Type> = S extends abstract new () => infer T ? T
  : S extends Type<infer T> ? T
  : never;

/** The schema of a property, with its description. */
export interface Property<T = unknown> extends Schema {
  readonly [TYPE]?: T;
}
type Optional = { readonly isOptional: true };
type Properties = Readonly<Record<string, Property>>;
type ValueOf<P> = P extends Property<infer T> ? T : never;
type Flat<T> = { [K in keyof T]: T[K] };
type Shape<P extends Properties> = Flat<
  & { readonly [K in keyof P as P[K] extends Optional ? never : K]: ValueOf<P[K]> }
  & { readonly [K in keyof P as P[K] extends Optional ? K : never]?: ValueOf<P[K]> }
>;

/** Makes a type. It has the name `title`, or that of the class that extends it, or none. */
function type<T>(definition: Schema, title = ""): Type<T> & (abstract new () => T) {
  return class {
    static readonly definition = definition;

    static get schema(): Schema {
      const name = title || this.name;
      return name === "" ? definition : { $ref: refOf(name), [DEFINITION]: { name, definition } };
    }

    static is(description: string): Schema {
      return { ...this.schema, description };
    }

    static orNull(description: string): Schema {
      return { ...nullable(this as unknown as Type).definition, description };
    }

    static optional(description: string): Schema {
      return { ...this.schema, description, isOptional: true };
    }

    static byDefault(value: unknown): Type {
      return type({ ...this.schema, default: value });
    }
  } as unknown as Type<T> & (abstract new () => T);
}

function refOf(name: string): string {
  return `#/$defs/${name}`;
}

export const text: Type<string> = type({ type: "string" });
export const nonEmpty: Type<string> = type({ type: "string", minLength: 1 });
/** A time, ISO 8601 in UTC. */
export const instant: Type<string> = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const flag: Type<boolean> = type({ type: "boolean" });
export const number: Type<number> = type({ type: "number" });
/** A number that is not negative. */
export const amount: Type<number> = type({ type: "number", minimum: 0 });
export const positive: Type<number> = type({ type: "number", exclusiveMinimum: 0 });
/** A number from 0 to 1. */
export const share: Type<number> = type({ type: "number", minimum: 0, maximum: 1 });
/** An integer from 0. */
export const count: Type<number> = type({ type: "integer", minimum: 0 });
/** An integer from 1. */
export const ordinal: Type<number> = type({ type: "integer", minimum: 1 });

/** Returns the type of numbers up to a maximum. */
export function upTo(maximum: number, of: Type<number>, keywords: Schema = {}): Type<number> {
  return type({ ...of.schema, maximum, ...keywords });
}

/** Returns the type of strings that match a pattern. */
export function matching({ source }: RegExp): Type<string> {
  return type({ type: "string", pattern: source });
}

/** Returns the type of one number. */
export function literal<const V extends number>(value: V): Type<V> {
  return type({ const: value });
}

/** Returns the type of a string that equals one of these. */
export function oneOf<const V extends readonly string[]>(...values: V): Type<V[number]> {
  return type({ enum: values });
}

/** Returns a type that also accepts null. */
export function nullable<S extends Type>({ schema }: S): Type<Static<S> | null> {
  return type(
    typeof schema.type === "string"
      ? { ...schema, type: [schema.type, "null"] }
      : { anyOf: [schema, { type: "null" }] },
  );
}

/** Returns the type of a list, with further keywords of JSON Schema such as `minItems`. */
export function list<S extends Type>(items: S, keywords: Schema = {}): Type<readonly Static<S>[]> {
  return type({ type: "array", items: items.schema, ...keywords });
}

/** Returns the type of an object with any property names. */
export function record<S extends Type>(
  values: S,
  keywords: Schema = {},
): Type<Readonly<Record<string, Static<S>>>> {
  return type({ type: "object", additionalProperties: values.schema, ...keywords });
}

/** Returns the type of an object with exactly these properties. */
export function object<P extends Properties>(
  description: string,
  properties: P,
  keywords: Schema = {},
): Type<Shape<P>> & (abstract new () => Shape<P>) {
  const entries = Object.entries(properties);
  return type({
    type: "object",
    description,
    required: entries.flatMap(([name, schema]) =>
      "default" in schema || "isOptional" in schema ? [] : name
    ),
    additionalProperties: false,
    properties: Object.fromEntries(
      entries.map(([name, { isOptional: _, ...schema }]) => [name, schema]),
    ),
    ...keywords,
  });
}

/** An object of one of several kinds, by the property `kind`. */
export type OneOf<Kinds> = {
  [K in keyof Kinds]: Readonly<Flat<{ kind: K } & Kinds[K]>>;
}[keyof Kinds];

type Kinds = Readonly<Record<string, readonly [description: string, properties: Properties]>>;

/** Returns the type of an object of one of several kinds. The property `kind` says which. */
export function kinds<const K extends Kinds>(
  variants: K,
): Type<OneOf<{ [N in keyof K]: Shape<K[N][1]> }>> {
  return type({
    anyOf: Object.entries(variants).map(([kind, [description, properties]]) => {
      const property = { const: kind, description: "Which kind it is." };
      return object(description, { kind: property, ...properties }).definition;
    }),
  });
}

/** Returns the type of values that match any of these types. */
export function union<S extends readonly Type[]>(
  description: string,
  ...types: S
): Type<Static<S[number]>> {
  return type({ description, anyOf: types.flatMap(({ schema }) => schema.anyOf ?? [schema]) });
}

/** Returns the type with a name in published documents. */
export function named<S extends Type>(name: string, { definition }: S): S {
  return type(definition, name) as unknown as S;
}

/** Returns a reference to the type with a name. A type that contains itself needs such a reference. */
export function reference<T>(name: string): Type<T> {
  return type({ $ref: refOf(name) });
}

/** Returns the published schema of a type, with the definitions of all named types in it. */
export function document(of: Type, title: string, description: string): Schema {
  const $defs: Record<string, Schema> = {};
  const collect = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { [DEFINITION]: named } = part as Schema;
    if (named !== undefined && !(named.name in $defs)) {
      $defs[named.name] = named.definition;
      collect(named.definition);
    }
    for (const inner of Object.values(part)) collect(inner);
  };
  collect(of.definition);
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { $schema, title, ...of.definition, description, $defs };
}

/** One problem of a value: its path in the value, and the message. */
type Problem = Pick<ErrorObject, "instancePath" | "params"> & { readonly message: string };

/**
 * Returns a function that lists the problems of a value: none if it is valid. It compiles on first use,
 * because that takes most of a command's start-up.
 */
export function validatorOf(
  schema: Schema,
  options: Options = {},
): (value: unknown) => readonly Problem[] {
  let validate: ValidateFunction | null = null;
  return (value) => {
    validate ??= new Ajv2020({ strict: true, ...options }).compile(schema);
    try {
      if (validate(value)) return [];
    } catch (error) {
      // A recursive schema recurses as deep as the value
      if (!(error instanceof RangeError)) throw error;
      return [{ instancePath: "", params: {}, message: "is nested too deeply" }];
    }
    const errors = validate.errors ?? [];
    return errors.map(({ message = "is wrong", ...rest }) => ({ ...rest, message }));
  };
}

/** Returns the first problems as one line, with unexpected names and allowed values. */
export function describeProblems(problems: readonly Problem[]): string {
  const texts = problems.slice(0, 5).map(({ instancePath, message, params }) => {
    const more = params.additionalProperty ?? params.allowedValues?.join(", ");
    return `${instancePath || "it"} ${message}${more === undefined ? "" : `: ${more}`}`;
  });
  const left = problems.length - texts.length;
  return oneLine([...texts, ...(left > 0 ? [`and ${left} more`] : [])].join("; "));
}
