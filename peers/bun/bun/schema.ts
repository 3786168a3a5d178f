import { z } from "zod";

export const headers = z.object({ "x-foo": z.string() });

export const query = z.object({
  name: z.string().optional(),
  excitement: z.string().regex(/^-?[0-9]+$/).optional(),
});

export const body = z.object({
  requiredKey: z.array(z.int()).max(3),
  someKey: z.string().optional(),
  someOtherKey: z.number().optional(),
  nullableKey: z.number().nullish(),
  multipleTypesKey: z.union([z.boolean(), z.number()]).optional(),
  multipleRestrictedTypesKey: z.union([z.string().max(5), z.number().min(10)]).optional(),
  enumKey: z.enum(["John", "Foo"]).optional(),
});

export const delay = z.object({
  ms: z.coerce.number().int().min(0).max(60_000).default(2000),
  every: z.coerce.number().int().min(1).max(1_000_000).default(10),
});

export const primes = z.object({
  limit: z.coerce.number().int().min(2).max(10_000_000).default(1_000_000),
});

export const stream = z.object({
  events: z.coerce.number().int().min(1).max(10_000).default(100),
  ms: z.coerce.number().int().min(0).max(1000).default(0),
});
