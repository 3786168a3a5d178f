import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { HttpError, problem, type Violation } from "../problem.ts";
import type { Handler } from "../router.ts";
import { readJson } from "../body.ts";

const BODY = {
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
};
const HEADERS = {
  type: "object",
  required: ["x-foo"],
  properties: { "x-foo": { type: "string" } },
};
const QUERY = {
  type: "object",
  properties: {
    name: { type: "string" },
    excitement: { type: "string", pattern: "^-?[0-9]+$" },
  },
};
const REQUEST = {
  type: "object",
  properties: { header: HEADERS, query: QUERY, body: BODY },
};

const isValid: ValidateFunction = new Ajv({ allowUnionTypes: true }).compile(REQUEST);
// A second validator, since collecting every error costs the valid requests too.
const explain: ValidateFunction = new Ajv({ allowUnionTypes: true, allErrors: true })
  .compile(REQUEST);

/** `POST /schema`: header, query and body checked by a compiled validator. */
export const schema: Handler = async (request, query) => {
  const headers = request.headers;
  const type = headers.get("content-type");
  if (type !== "application/json" && !/^application\/json *(;|$)/i.test(type ?? "")) {
    throw new HttpError(415, "The content type must be application/json");
  }
  const foo = headers.get("x-foo");
  const parts = {
    header: foo === null ? {} : { "x-foo": foo },
    query: query === "" ? {} : Object.fromEntries(new URLSearchParams(query)),
    body: await readJson(request),
  };
  if (isValid(parts)) return Response.json({ message: "Hello, World" });
  explain(parts);
  return problem(400, "The request breaks the contract of /schema", {
    errors: (explain.errors ?? []).map(violation),
  });
};

function violation({ instancePath, message = "is wrong", params }: ErrorObject): Violation {
  const allowed = params.allowedValues ? `: ${params.allowedValues.join(", ")}` : "";
  return { at: instancePath.slice(1), message: message + allowed };
}
