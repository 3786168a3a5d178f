/** What is handed to another load generator: scenarios as data, with what may be secret taken out. */
import { createHash } from "node:crypto";
import { SCENARIOS } from "../../scenarios/mod.ts";
import type { Slo } from "../model/slo.ts";
import type { HttpRequest, Scenario } from "../model/scenario.ts";

/** A part of a text: itself, or the name of the variable that holds it where the load is made. */
export type Piece = string | { readonly variable: string };

/** A request whose secrets are variables. */
export interface ExportedRequest {
  readonly method: HttpRequest["method"];
  readonly path: readonly Piece[];
  readonly headers: Readonly<Record<string, readonly Piece[]>>;
  readonly body: readonly Piece[] | null;
}

/** A scenario as a script holds it. */
export interface ExportedScenario {
  readonly id: string;
  readonly title: string;
  /** What its metrics and functions are called: letters, digits and underscores. */
  readonly key: string;
  readonly request: ExportedRequest;
  readonly underLoad: Scenario["underLoad"];
}

/** A whole load. */
export interface ExportedLoad {
  readonly scenarios: readonly ExportedScenario[];
  /** Requests a second at each scenario, of all runners together. */
  readonly perS: number;
  /** Seconds of each scenario, one after the other. */
  readonly durationS: number;
  readonly slo: Slo;
  /** How many requests may be under way at once, of all runners together. */
  readonly users: number;
  /** Where the server is unless a variable says otherwise: `http://127.0.0.1:8000`. */
  readonly target: string;
}

/** Headers whose values are no secrets. */
const PLAIN_HEADERS = ["accept", "accept-encoding", "accept-language", "content-type"];
/** What may stand in k6's names, and does not begin one. */
const NAMELESS = /[^A-Za-z0-9]+/g;

/**
 * Scenarios as a script holds them. What Stampede's own ask for is public. Of all others, values of headers and
 * queries, and bodies, become variables, unless they are to be written out.
 */
export function exportScenarios(
  scenarios: readonly Scenario[],
  { withValues }: { readonly withValues: boolean },
): ExportedScenario[] {
  const taken = new Set<string>();
  return scenarios.map((scenario) => {
    const { id, title, request, underLoad } = scenario;
    const plain = `s_${id}`.replaceAll(NAMELESS, "_").replace(/_+$/, "").slice(0, 60);
    const name = /^s_[A-Za-z]/.test(plain) ? plain.slice(2) : plain;
    let key = name;
    for (let time = 2; taken.has(key); time++) key = `${name}_${time}`;
    taken.add(key);
    const isPublic = withValues || SCENARIOS.includes(scenario);
    return { id, title, key, underLoad, request: isPublic ? whole(request) : hidden(request, key) };
  });
}

/** The variables that a load needs, in order. */
export function variablesOf(scenarios: readonly ExportedScenario[]): string[] {
  const pieces = scenarios.flatMap(({ request: { path, headers, body } }) => [
    ...path,
    ...Object.values(headers).flat(),
    ...body ?? [],
  ]);
  return [...new Set(pieces.flatMap((piece) => typeof piece === "string" ? [] : piece.variable))];
}

/** The name of a load by what it asks, which is the same for all that run it: 16 hexadecimal digits. */
export function testIdOf(load: ExportedLoad): string {
  const { target: _target, ...asked } = load;
  const text = JSON.stringify(
    asked,
    (_key, value) => value instanceof RegExp ? String(value) : value,
  );
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function whole({ method, path, headers, body }: HttpRequest): ExportedRequest {
  return {
    method,
    path: [path],
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: body === null ? null : [body],
  };
}

function hidden({ method, path, headers, body }: HttpRequest, key: string): ExportedRequest {
  const variable = (...parts: string[]): Piece => ({
    variable: [key, ...parts].join("_").toUpperCase().replaceAll(NAMELESS, "_"),
  });
  return {
    method,
    path: hiddenPath(path, variable),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        PLAIN_HEADERS.includes(name.toLowerCase()) ? [value] : [variable("header", name)],
      ]),
    ),
    body: body === null ? null : [variable("body")],
  };
}

/** The path with the names of its query's parameters; a part without a name may itself be the secret. */
function hiddenPath(path: string, variable: (...parts: string[]) => Piece): Piece[] {
  const start = path.indexOf("?");
  if (start < 0) return [path];
  const pieces: Piece[] = [path.slice(0, start + 1)];
  for (const [i, part] of path.slice(start + 1).split("&").entries()) {
    const [name = ""] = part.split("=", 1);
    const isNamed = part.includes("=");
    pieces.push(`${i > 0 ? "&" : ""}${isNamed ? `${name}=` : ""}`);
    if (part !== "") pieces.push(variable("query", isNamed ? name : "", `${i + 1}`));
  }
  return pieces.filter((piece) => piece !== "");
}
