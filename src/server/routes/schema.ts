import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { badBody, readJson } from "../body.ts";
import { HttpError, parameter, problem, type Violation } from "../problem.ts";
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
const REQUEST = {
  type: "object",
  properties: {
    header: { type: "object", required: ["x-foo"], properties: { "x-foo": { type: "string" } } },
    query: {
      type: "object",
      properties: { excitement: { type: "string", pattern: "^-?[0-9]+$" } },
    },
    body: BODY,
  },
};

const isValid: ValidateFunction = new Ajv({ allowUnionTypes: true }).compile(REQUEST);
/** For invalid requests, because collecting all errors would slow down the valid ones too. */
const explain: ValidateFunction = new Ajv({ allowUnionTypes: true, allErrors: true })
  .compile(REQUEST);

// A header value is always a string, so only its presence is checked.
const FOO = { "x-foo": "" };
const NO_FOO = {};

/** Handles `POST /schema`: validates header, query and body. Async would cost another promise. */
export const schema: RouteHandler = (request, url) => {
  const { headers } = request;
  // `has` first: it makes Deno read all headers with one call, but each `get` before it is a call
  const header = headers.has("x-foo") ? FOO : NO_FOO;
  assertJson(headers.get("content-type"));
  // `name` may be any string, and a query only contains strings.
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

function violation({ instancePath, message = "is invalid", params }: ErrorObject): Violation {
  const allowed = params.allowedValues ? `: ${params.allowedValues.join(", ")}` : "";
  return { at: instancePath.slice(1), message: message + allowed };
}
