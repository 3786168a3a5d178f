/** GitHub's published description of its REST API and webhooks, and checks of messages against it. */
import { Ajv, type ErrorObject } from "ajv";
import { run } from "./npm.ts";

/**
 * The package of the description: https://github.com/octokit/openapi. It is no dependency, because it has
 * 29 MB (475 MB unpacked), of which one file is read.
 */
const PACKAGE = "@octokit/openapi@23.0.2";
const INTEGRITY =
  "sha512-pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==";
const FILE = "package/generated/api.github.com.json";

interface Schema {
  readonly type?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

/** A request to an operation such as `GET /repos/{owner}/{repo}/pulls`. */
export interface ApiRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed body; undefined without a body. */
  readonly body: unknown;
}

export class GitHubDescription {
  readonly #api: OpenApi;
  readonly #ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

  /** Parses the description of the REST API in OpenAPI 3.0. Its `x-webhooks` describes events. */
  constructor(text: string) {
    this.#api = JSON.parse(text, withNull);
    this.#ajv.addSchema(this.#api, "api");
    // Tests send only the fields that the action could read
    this.#ajv.addSchema(JSON.parse(text, withoutRequired), "events");
  }

  /** Fetches the description from npm's registry, in a temporary folder. */
  static async fetch(folder: string): Promise<GitHubDescription> {
    const packed = await run(folder, ["npm", "pack", "--json", PACKAGE]);
    const [{ filename, integrity }] = JSON.parse(packed) as [
      { filename: string; integrity: string },
    ];
    if (integrity !== INTEGRITY) throw new Error(`${PACKAGE} has changed: ${integrity}`);
    return new GitHubDescription(await run(folder, ["tar", "-xzOf", filename, FILE]));
  }

  /** Returns a copy of one of GitHub's examples. */
  example(name: string): unknown {
    return structuredClone(this.#api.components.examples[name]?.value);
  }

  /** Returns the differences between a request and its description. */
  requestProblems(operation: string, { path, query, body }: ApiRequest): string[] {
    const { described, pointer } = this.#operation(operation);
    const problems: string[] = [];
    for (const [place, values] of Object.entries({ path, query })) {
      const known = (described.parameters ?? []).map((parameter, index) =>
        "$ref" in parameter ? this.#parameter(parameter.$ref) : {
          ...parameter,
          pointer: `${pointer}/parameters/${index}/schema`,
        }
      ).filter((parameter) => parameter.in === place);
      const names = new Set(known.map(({ name }) => name));
      for (const name of Object.keys(values)) {
        if (!names.has(name)) problems.push(`${operation}: unknown parameter ${name}`);
      }
      for (const { name, required = false, schema, pointer } of known) {
        const value = values[name];
        if (value === undefined) {
          if (required) problems.push(`${operation}: without ${name}`);
          continue;
        }
        const typed = schema.type === "integer" ? Number(value) : value;
        problems.push(...this.#differences(`api#${pointer}`, typed, `${operation} ${name}`));
      }
    }
    const content = described.requestBody?.content;
    if (content === undefined) {
      return body === undefined ? problems : [...problems, `${operation}: a body is unknown`];
    }
    const at = `api#${pointer}/requestBody/content/${escaped("application/json")}/schema`;
    return [...problems, ...this.#differences(at, body, `${operation} body`)];
  }

  /** Returns the differences between a response and its description; a null body is an empty one. */
  responseProblems(operation: string, status: number, body: unknown): string[] {
    const { described, pointer } = this.#operation(operation);
    const response = described.responses[status];
    if (response === undefined) return [`${operation}: the status ${status} is unknown`];
    if (response.content === undefined) {
      return body === null ? [] : [`${operation}: a response with a body is unknown`];
    }
    const content = `content/${escaped("application/json")}/schema`;
    return this.#differences(`api#${pointer}/responses/${status}/${content}`, body, operation);
  }

  /** Returns the differences between an event's fields and their description, such as `push`. */
  eventProblems(event: string, payload: unknown): string[] {
    const content = `post/requestBody/content/${escaped("application/json")}/schema`;
    return this.#differences(`events#/x-webhooks/${event}/${content}`, payload, event);
  }

  #operation(operation: string): { described: Operation; pointer: string } {
    const [method = "", path = ""] = operation.toLowerCase().split(" ");
    const described = this.#api.paths[path]?.[method];
    if (described === undefined) throw new Error(`GitHub describes no ${operation}`);
    return { described, pointer: `/paths/${escaped(path)}/${method}` };
  }

  #parameter(reference: string): Parameter & { pointer: string } {
    const name = reference.split("/").at(-1) ?? "";
    const parameter = this.#api.components.parameters[name];
    if (parameter === undefined) throw new Error(`GitHub describes no ${reference}`);
    return { ...parameter, pointer: `/components/parameters/${name}/schema` };
  }

  #differences(pointer: string, value: unknown, what: string): string[] {
    const validate = this.#ajv.compile({ $ref: pointer });
    if (validate(value)) return [];
    const describe = ({ instancePath, message, params }: ErrorObject): string =>
      `${what}${instancePath}: ${message} ${JSON.stringify(params)}`;
    return (validate.errors ?? []).map(describe);
  }
}

/** Escapes a name for a JSON pointer in a URL's fragment. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** Reviver that writes OpenAPI's `nullable` as JSON Schema: Ajv refuses it without a type. */
function withNull(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("nullable" in value)) return value;
  const { nullable, ...schema } = value;
  return nullable === true ? { anyOf: [{ type: "null" }, schema] } : schema;
}

/** Reviver that also makes every property optional, and forbids unknown ones. */
function withoutRequired(key: string, value: unknown): unknown {
  if (key === "required" && Array.isArray(value)) return undefined;
  const isClosed = typeof value === "object" && value !== null && "properties" in value;
  return withNull(key, isClosed ? { additionalProperties: false, ...value } : value);
}
