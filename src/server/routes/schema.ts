import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { badBody, readJson } from "../body.ts";
import { parameter } from "../parameters.ts";
import { HttpError, problem, type Violation } from "../problem.ts";
import type { RouteHandler } from "../router.ts";

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

// A header's value is always a string: that it is there is all that there is to check.
const FOO = { "x-foo": "" };
const NO_FOO = {};

/** `POST /schema`: header, query and body checked by a compiled validator. Not async: as the router. */
export const schema: RouteHandler = (request, url) => {
  const { headers } = request;
  // First, since `has` makes Deno read all headers at once: each `get` alone would be a call of its own.
  const header = headers.has("x-foo") ? FOO : NO_FOO;
  assertJson(headers.get("content-type"));
  // Any string will do for `name`, and nothing else can stand in a query.
  const query = { excitement: parameter(url, "excitement") };
  return readJson(request, headers.get("content-length")).then(
    (body) => respondTo({ header, query, body }),
    (error) => {
      throw badBody(error);
    },
  );
};

function respondTo(parts: Readonly<Record<"header" | "query" | "body", unknown>>): Response {
  if (isValid(parts)) return Response.json({ message: "Hello, World" });
  explain(parts);
  return problem(400, "The request breaks the contract of /schema", {
    errors: (explain.errors ?? []).map(violation),
  });
}

function assertJson(type: string | null): void {
  if (type === "application/json" || /^application\/json *(;|$)/i.test(type ?? "")) return;
  throw new HttpError(415, "The content type must be application/json");
}

function violation({ instancePath, message = "is wrong", params }: ErrorObject): Violation {
  const allowed = params.allowedValues ? `: ${params.allowedValues.join(", ")}` : "";
  return { at: instancePath.slice(1), message: message + allowed };
}
