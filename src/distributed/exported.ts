/** Scenarios as data for another load generator, without values that may be secret. */
import { createHash } from "node:crypto";
import { SCENARIOS } from "../../scenarios/mod.ts";
import type { Slo } from "../model/experiment.ts";
import type { HttpRequest, Scenario } from "../model/scenario.ts";

/** A part of a text: literal, or the name of the variable that contains it when the load runs. */
export type Piece = string | { readonly variable: string };

interface ExportedRequest extends Pick<HttpRequest, "method"> {
  readonly path: readonly Piece[];
  readonly headers: Readonly<Record<string, readonly Piece[]>>;
  readonly body: readonly Piece[] | null;
}

interface ExportedScenario extends Pick<Scenario, "id" | "title" | "underLoad"> {
  /** Name of the scenario in metrics and functions of the script: letters, digits and underscores. */
  readonly key: string;
  readonly request: ExportedRequest;
}

/** The scenarios of a script, with their rate, duration and SLO, for all runners together. */
export interface ExportedLoad {
  readonly scenarios: readonly ExportedScenario[];
  /** Requests per second in each scenario, of all runners together. */
  readonly perS: number;
  /** Seconds per scenario. Scenarios run one after the other. */
  readonly durationS: number;
  readonly slo: Slo;
  /** Largest number of requests in flight, of all runners together. */
  readonly users: number;
  /** Default address of the server, such as `http://127.0.0.1:8000`. */
  readonly target: string;
  /** The program as typed, for the commands in the script's comments: `deno task bench`. */
  readonly program: readonly string[];
}

/** Headers with values that are never secret. */
const PLAIN_HEADERS = ["accept", "accept-encoding", "accept-language", "content-type"];
/** Characters that k6 does not allow in names. */
const NOT_IN_NAMES = /[^A-Za-z0-9]+/g;

/**
 * Converts scenarios for a script. Unless they are built-in, and so public, variables replace bodies and
 * the values of headers and queries; `withValues` keeps them.
 */
export function exportScenarios(
  scenarios: readonly Scenario[],
  { withValues }: { readonly withValues: boolean },
): ExportedScenario[] {
  const taken = new Set<string>();
  return scenarios.map((scenario) => {
    const { id, title, request, underLoad } = scenario;
    const plain = `s_${id}`.replaceAll(NOT_IN_NAMES, "_").replace(/_+$/, "").slice(0, 60);
    const name = /^s_[A-Za-z]/.test(plain) ? plain.slice(2) : plain;
    let key = name;
    for (let time = 2; taken.has(key); time++) key = `${name}_${time}`;
    taken.add(key);
    const isPublic = withValues || SCENARIOS.includes(scenario);
    return { id, title, key, underLoad, request: exported(request, key, isPublic) };
  });
}

/** Returns the variables that a load needs, in order. */
export function variablesOf(scenarios: readonly ExportedScenario[]): string[] {
  const pieces = scenarios.flatMap(({ request: { path, headers, body } }) => [
    ...path,
    ...Object.values(headers).flat(),
    ...body ?? [],
  ]);
  return [...new Set(pieces.flatMap((piece) => typeof piece === "string" ? [] : piece.variable))];
}

/** Returns the id of a load, the same for all its runners. */
export function testIdOf(load: ExportedLoad): string {
  const { target: _target, program: _program, ...hashed } = load;
  const withPatterns = (_key: string, value: unknown): unknown =>
    value instanceof RegExp ? String(value) : value;
  return hashOf(JSON.stringify(hashed, withPatterns));
}

/** Returns 16 hexadecimal digits of a text's SHA-256. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function exported(
  { method, path, headers, body }: HttpRequest,
  key: string,
  isPublic: boolean,
): ExportedRequest {
  const hidden = (...parts: string[]): Piece => ({
    variable: [key, ...parts].join("_").toUpperCase().replaceAll(NOT_IN_NAMES, "_"),
  });
  const fields = Object.entries(headers).map(([name, value]): [string, Piece[]] => {
    const isPlain = isPublic || PLAIN_HEADERS.includes(name.toLowerCase());
    return [name, [isPlain ? value : hidden("header", name)]];
  });
  return {
    method,
    path: isPublic ? [path] : hiddenPath(path, hidden),
    headers: Object.fromEntries(fields),
    body: body === null ? null : [isPublic ? body : hidden("body")],
  };
}

/** Returns the path with a variable for each value of its query, or for a parameter without `=`. */
function hiddenPath(path: string, hidden: (...parts: string[]) => Piece): Piece[] {
  const start = path.indexOf("?") + 1;
  if (start === 0) return [path];
  const parts = path.slice(start).split("&").flatMap((part, i) => {
    const [name] = /^[^=]*=/.exec(part) ?? [""];
    const value = part === "" ? [] : [hidden("query", name.slice(0, -1), `${i + 1}`)];
    return [i === 0 ? name : `&${name}`, ...value];
  });
  return [path.slice(0, start), ...parts].filter((piece) => piece !== "");
}
