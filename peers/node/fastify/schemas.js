const string = { type: "string" };
const integer = { type: "integer" };
const time = { type: "string", format: "date-time" };

const object = (properties) => ({ type: "object", properties });
const array = (items) => ({ type: "array", items });

/** The schema of a route that answers 200 with this. */
const answers = (schema) => ({ response: { 200: schema } });

export const hello = answers(object({ message: string }));

export const json = answers(object({ message: string, ts: time }));

export const sql1 = answers(object({ ts: time }));

export const sql2 = answers(array(object({ id: integer, full_name: string, email: string })));

export const books = answers(object({
  from: string,
  data: array(object({
    id: integer,
    title: string,
    author: string,
    isbn: string,
    language: string,
    year: integer,
    pages: integer,
  })),
}));

export const delay = {
  querystring: object({
    ms: { type: "integer", minimum: 0, maximum: 60_000, default: 2000 },
    every: { type: "integer", minimum: 1, maximum: 1_000_000, default: 10 },
  }),
};

export const primes = {
  querystring: object({
    limit: { type: "integer", minimum: 2, maximum: 10_000_000, default: 1_000_000 },
  }),
};

export const schema = {
  headers: { ...object({ "x-foo": string }), required: ["x-foo"] },
  querystring: object({
    name: string,
    excitement: { type: "string", pattern: "^-?[0-9]+$" },
  }),
  body: {
    ...object({
      requiredKey: { ...array(integer), maxItems: 3 },
      someKey: string,
      someOtherKey: { type: "number" },
      nullableKey: { type: ["number", "null"] },
      multipleTypesKey: { type: ["boolean", "number"] },
      multipleRestrictedTypesKey: {
        anyOf: [{ type: "string", maxLength: 5 }, { type: "number", minimum: 10 }],
      },
      enumKey: { enum: ["John", "Foo"] },
    }),
    required: ["requiredKey"],
  },
  ...answers(object({ message: string })),
};

const row = object({ id: integer, randomNumber: integer });

export const world = answers(row);

export const worlds = answers(array(row));

export const stream = {
  querystring: object({
    events: { type: "integer", minimum: 1, maximum: 10_000, default: 100 },
    ms: { type: "integer", minimum: 0, maximum: 1000, default: 0 },
  }),
};
