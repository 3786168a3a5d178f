import { Ajv } from "ajv";
import { HttpError } from "./http.js";

const ajv = new Ajv({ allowUnionTypes: true });

const isValid = ajv.compile({
  type: "object",
  properties: {
    headers: {
      type: "object",
      required: ["x-foo"],
      properties: { "x-foo": { type: "string" } },
    },
    query: {
      type: "object",
      properties: {
        name: { type: "string" },
        excitement: { type: "string", pattern: "^-?[0-9]+$" },
      },
    },
    body: {
      type: "object",
      required: ["requiredKey"],
      properties: {
        requiredKey: { type: "array", maxItems: 3, items: { type: "integer" } },
        someKey: { type: "string" },
        someOtherKey: { type: "number" },
        nullableKey: { type: ["number", "null"] },
        multipleTypesKey: { type: ["boolean", "number"] },
        multipleRestrictedTypesKey: {
          anyOf: [{ type: "string", maxLength: 5 }, { type: "number", minimum: 10 }],
        },
        enumKey: { enum: ["John", "Foo"] },
      },
    },
  },
});

export function assertValid(headers, query, body) {
  if (!isValid({ headers, query, body })) {
    throw new HttpError(400, ajv.errorsText(isValid.errors, { dataVar: "request" }));
  }
}
