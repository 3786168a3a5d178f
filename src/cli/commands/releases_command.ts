/** The command `releases`, which compares releases of a runtime. */
import { compareVariants } from "../../analysis/variant_changes.ts";
import { releasesExperiment } from "../../experiment/kinds.ts";
import { draftOf } from "../../experiment/options.ts";
import { pick, select } from "../../experiment/select.ts";
import { UsageError } from "../../model/errors.ts";
import { RUNTIMES } from "../../model/server.ts";
import { toJson } from "../../model/text.ts";
import { newestOfEach, versionsOf } from "../../target/runtimes.ts";
import { markdown } from "../../view/markdown.ts";
import { terminal } from "../../view/terminal.ts";
import { type Options, settingsOf } from "../command.ts";
import type { Io } from "../io.ts";
import { carryOut } from "../measure.ts";
import { noiseFor, readNoise } from "./compare_command.ts";

/** Servers of the suite that are measured by default. */
const SERVERS = { deno: "deno", node: "node-http", bun: "bun" };

export async function releases(
  [name = "", ...scenarios]: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  const { from, to, each, wide = false, json } = options;
  const [known] = pick("runtime", [name], RUNTIMES.map((id) => ({ id })));
  if (known === undefined) throw new UsageError(`Name a runtime: ${RUNTIMES.join(", ")}`);
  const runtime = known.id;
  if (from === undefined) {
    throw new UsageError("Cannot compare releases: give the first one, such as --from 2.4");
  }
  for (const version of [from, to ?? from]) {
    if (!/^\d+(\.\d+){0,2}$/.test(version)) {
      throw new UsageError(`Cannot read the version "${version}": write it as 2, 2.8 or 2.8.3`);
    }
  }
  const isNamed = options.servers !== undefined || options.server !== undefined;
  const asked = isNamed ? options : { ...options, servers: SERVERS[runtime] };
  const draft = draftOf(
    await select(scenarios.length > 0 ? scenarios : ["text"], asked, io.path),
    asked,
  );
  const settings = await settingsOf(options, io);
  const versions = newestOfEach(await versionsOf(runtime), each, from, to);
  const experiment = releasesExperiment(
    draft,
    versions.map((version) => ({ runtime, version })),
  );
  const ids = experiment.variants.map(({ id }) => id);
  const steps = ids.slice(1).map((id, i) => [ids[i] as string, id] as const);
  let floor = await readNoise(options.noise, io);
  return await carryOut(experiment, settings, io, {
    complete: async (report) => {
      floor ??= await noiseFor(report, io);
      return { ...report, changes: compareVariants(report, steps, floor) };
    },
    print: (report) => {
      const extent = { explained: [], isWide: wide, file: options.out ?? null };
      io.out(json ? toJson(report) : terminal(report, io.screen, extent));
    },
    summary: (report) => markdown([report]),
  });
}
