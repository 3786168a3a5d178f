import { UsageError } from "../model/errors.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { isUrl, readUrls, type RequestOptions } from "./url_target.ts";
import { chooseScenarios, chooseServers, type ServerChoice } from "./choose.ts";
import { readScenario } from "./scenario_file.ts";

/** Options that say what is measured, beside the arguments. */
export interface WorkOptions extends ServerChoice, RequestOptions {
  /** Modules. */
  readonly scenario?: readonly string[];
}

/** Options that mean something with a URL only. */
const REQUEST_OPTIONS = ["data", "header", "request", "pid"] as const;

/**
 * What is measured: scenarios at servers that have manifests, or at servers that run already, or what
 * URLs ask of these.
 *
 * @param args scenario ids and URLs
 * @throws {UsageError} for what there is not, and what does not go together.
 */
export async function chooseWork(
  args: readonly string[],
  options: WorkOptions,
): Promise<{ readonly targets: readonly Server[]; readonly scenarios: readonly Scenario[] }> {
  const urls = args.filter(isUrl);
  const ids = args.filter((argument) => !isUrl(argument));
  const files = await Promise.all((options.scenario ?? []).map(readScenario));
  const isDefault = urls.length === 0 && files.length === 0;
  const named = isDefault || ids.length > 0 ? chooseScenarios("scenario or command", ids) : [];
  const scenarios = [...named, ...files];
  const twice = scenarios.find(({ id }, i) => scenarios.findIndex((other) => other.id === id) < i);
  if (twice) throw new UsageError(`Cannot measure two scenarios of the name "${twice.id}"`);
  if (urls.length > 0) {
    if (options.servers !== undefined || options.server !== undefined) {
      throw new UsageError("Cannot measure URLs beside servers that have manifests");
    }
    return await readUrls(urls, options, scenarios);
  }
  const stray = REQUEST_OPTIONS.find((name) => options[name] !== undefined);
  if (stray !== undefined) {
    const hint = stray === "data" ? " (the duration is -z)" : "";
    throw new UsageError(`Cannot use --${stray} without a URL${hint}`);
  }
  return { targets: await chooseServers(options), scenarios };
}
