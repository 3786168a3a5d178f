import { t } from "elysia";

export const headers = t.Object({ "x-foo": t.String() });

export const query = t.Object({
  name: t.Optional(t.String()),
  excitement: t.Optional(t.String({ pattern: "^-?[0-9]+$" })),
});

export const body = t.Object({
  // t.Integer would also accept a string
  requiredKey: t.Array(t.Number({ multipleOf: 1 }), { maxItems: 3 }),
  someKey: t.Optional(t.String()),
  someOtherKey: t.Optional(t.Number()),
  nullableKey: t.Optional(t.Nullable(t.Number())),
  multipleTypesKey: t.Optional(t.Union([t.Boolean(), t.Number()])),
  multipleRestrictedTypesKey: t.Optional(
    t.Union([t.String({ maxLength: 5 }), t.Number({ minimum: 10 })]),
  ),
  enumKey: t.Optional(t.Union([t.Literal("John"), t.Literal("Foo")])),
});

export const delay = t.Object({
  ms: t.Integer({ minimum: 0, maximum: 60_000, default: 2000 }),
  every: t.Integer({ minimum: 1, maximum: 1_000_000, default: 10 }),
});

export const primes = t.Object({
  limit: t.Integer({ minimum: 2, maximum: 10_000_000, default: 1_000_000 }),
});

export const stream = t.Object({
  events: t.Integer({ minimum: 1, maximum: 10_000, default: 100 }),
  ms: t.Integer({ minimum: 0, maximum: 1000, default: 0 }),
});
