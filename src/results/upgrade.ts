/** Reports of older formats as this version writes them. Format 1 is that of Stampede 0.1. */
import { FORMAT } from "../model/report.ts";

/** What every command of Stampede 0.1 was said to begin with. */
const PROGRAM = ["deno", "task", "bench"];

type Fields = Readonly<Record<string, unknown>>;

/**
 * A report of an older format in the newest one. What is no report of its format is left for the schema to
 * refuse.
 *
 * @param version the format that it says it has
 */
export function upgrade(report: Fields, version: number): Fields {
  const steps = [withExperiment, withSlices, withConnections, withRates, withMixes, withPlateaus];
  return version < 1
    ? report
    : steps.slice(version - 1).reduce((older, step) => step(older), report);
}

/** Format 7: warm-ups that go on until the rate is level, and who used processors during slices. */
function withPlateaus(report: Fields): Fields {
  const fixed = (load: Fields): Fields => ({ ...load, mostWarmupS: load.warmupS });
  return {
    ...report,
    schemaVersion: FORMAT,
    results: changeAll(report.results, (result) => ({
      ...result,
      trial: change(result.trial, (trial) => ({ ...trial, load: change(trial.load, fixed) })),
      window: change(result.window, (window) => ({
        ...window,
        measurement: change(window.measurement, withoutWarmup),
        beside: change(window.beside, withoutWarmup),
      })),
    })),
    blocks: changeAll(report.blocks, (result) => ({
      ...result,
      block: change(result.block, fixed),
      slices: change(result.slices, (slices) => ({ ...slices, warmup: null, usage: null })),
    })),
    cells: changeAll(report.cells, (cell) => ({ ...cell, climbing: null, latencyAbsence: null })),
  };
}

function withoutWarmup(measurement: Fields): Fields {
  return { ...measurement, warmup: null };
}

/** Format 6: mixes, statements that write, and TLS. There were none of them. */
function withMixes(report: Fields): Fields {
  return {
    ...report,
    experiment: change(report.experiment, (experiment) => ({
      ...experiment,
      load: change(experiment.load, (load) => ({ ...load, tls: null })),
    })),
    scenarios: changeAll(report.scenarios, (scenario) => ({ ...scenario, each: null })),
    launches: changeAll(report.launches, (launch) => ({ ...launch, handshakes: null })),
    servers: changeAll(report.servers, (server) => ({
      ...server,
      handshakeUs: null,
      handshakeCpuUs: null,
    })),
    results: changeAll(report.results, (result) => ({
      ...result,
      window: change(result.window, (window) => ({
        ...window,
        database: change(window.database, (database) => ({
          ...database,
          statements: changeAll(database.statements, (one) => ({ ...one, changed: null })),
        })),
        measurement: change(window.measurement, (seen) => ({ ...seen, kinds: [] })),
      })),
    })),
    cells: changeAll(report.cells, (cell) => ({ ...cell, kinds: [] })),
  };
}

/**
 * Format 5: open loops, profiles, and what several load generators found. Everything was measured in closed
 * ones, by one, and nothing profiled.
 */
function withRates(report: Fields): Fields {
  const closed = (fields: Fields): Fields => ({ ...fields, perS: null });
  return {
    ...report,
    experiment: change(report.experiment, (experiment) => ({
      ...experiment,
      load: change(experiment.load, (load) => ({ ...load, open: null })),
      search: null,
      design: change(experiment.design, (design) => ({ ...design, profileS: null })),
    })),
    results: changeAll(report.results, (result) => ({
      ...result,
      trial: change(result.trial, (trial) => ({
        ...trial,
        load: change(trial.load, (load) => ({ ...load, open: null })),
      })),
      window: change(result.window, (window) => ({
        ...window,
        beside: null,
        measurement: change(window.measurement, (seen) => ({ ...seen, open: null })),
      })),
    })),
    blocks: changeAll(report.blocks, (result) => ({
      ...result,
      block: change(result.block, closed),
    })),
    cells: changeAll(report.cells, closed),
    openChecks: [],
    responses: [],
    capacities: [],
    scaling: [],
    profiles: [],
    distributed: null,
    comparisons: changeAll(report.comparisons, closed),
    noise: changeAll(report.noise, closed),
    changes: change(report.changes, (changes) => ({
      ...changes,
      changes: changeAll(changes.changes, closed),
    })),
  };
}

/** Format 4: scale tests of connections, and load generators that take over. */
function withConnections(report: Fields): Fields {
  return {
    ...report,
    experiment: change(report.experiment, (experiment) => ({
      ...experiment,
      design: change(experiment.design, (design) => ({ ...design, fallback: null })),
    })),
    results: changeAll(report.results, (result) => ({
      ...result,
      trial: change(result.trial, (trial) => ({ ...trial, cellConnections: null })),
    })),
    cells: changeAll(report.cells, (cell) => ({
      ...cell,
      isTakenOver: false,
      verdict: change(cell.verdict, ({ needsScaleTest, evidence, ...verdict }) => ({
        ...verdict,
        needsScaleTest: needsScaleTest === true ? "shards" : null,
        evidence: change(evidence, (evidence) => ({ ...evidence, connectionsGain: null })),
      })),
    })),
  };
}

/** Format 3: slices. In older formats everything was measured in windows, and nothing costs a reference's answers. */
function withSlices(report: Fields): Fields {
  const byWindows = (fields: Fields): Fields => ({ ...fields, method: "windows" });
  const changeOf = (fields: Fields): Fields => ({ ...byWindows(fields), isConfirmed: null });
  return {
    ...report,
    experiment: change(report.experiment, (experiment) => ({
      ...experiment,
      reference: null,
      design: change(experiment.design, (design) => ({ ...design, slices: null, failOn: null })),
    })),
    blocks: [],
    cells: changeAll(report.cells, (cell) => ({ ...cell, cost: null })),
    comparisons: changeAll(report.comparisons, byWindows),
    noise: changeAll(report.noise, byWindows),
    changes: change(report.changes, (changes) => ({
      ...changes,
      changes: changeAll(changes.changes, changeOf),
    })),
  };
}

/** Format 2: experiments. How states of a server differ (`changes`) was not recorded before. */
function withExperiment(report: Fields): Fields {
  const { config, ...rest } = report;
  return {
    commit: null,
    generators: [],
    ...rest,
    program: PROGRAM,
    scenarios: changeAll(rest.scenarios ?? [], (scenario) => ({
      ...scenario,
      hiddenPathSha256: null,
    })),
    experiment: change(config, (config) => experimentOf(config, report)),
    pinning: fieldsOf(config).pinning ?? null,
    launches: changeAll(rest.launches, ofArm),
    results: changeAll(rest.results, (result) => ({
      ...result,
      trial: change(result.trial, ofArm),
      window: change(result.window, upgradeWindow),
      failure: change(result.failure, (failure) => ({ output: null, ...failure })),
    })),
    cells: changeAll(rest.cells, upgradeCell),
    noise: changeAll(rest.noise, ofArm),
    changes: null,
  };
}

function experimentOf(config: Fields, report: Fields): Fields {
  const kind = kindOf(listOf(report.command));
  return {
    kind,
    arms: Array.isArray(config.targets)
      ? config.targets.map((id) => armOf(id, config, report))
      : config.targets,
    scenarios: config.scenarios,
    load: {
      connections: config.connections,
      defaultConnections: config.defaultConnections,
      shards: config.shards,
      durationS: config.durationS,
      requests: config.requests ?? null,
      timeoutS: config.timeoutS ?? 10,
      warmupS: config.warmupS,
      defaultWarmupS: config.defaultWarmupS,
    },
    design: {
      rounds: config.rounds,
      maxRounds: config.maxRounds,
      width: config.width,
      budgetS: config.budgetS,
      budgetShare: 0,
      ratiosOnly: kind === "versus",
      needsAll: kind === "versus",
      pins: (config.pinning ?? null) !== null,
      seed: config.seed,
    },
  };
}

/** The kind of experiment that `deno task bench ...` was. */
function kindOf([_deno, _task, _bench, first, ...others]: readonly unknown[]): string {
  if (first === "noise" || first === "versus" || first === "generators") return first;
  const isPreset = [first, ...others].some((argument) => /^--preset(=|$)/.test(String(argument)));
  return isPreset ? "preset" : "run";
}

/** A server that was measured: who served whom had one name then. */
function armOf(id: unknown, config: Fields, report: Fields): Fields {
  const server = listOf(report.servers).map(fieldsOf).find((server) => server.id === id);
  const trial = listOf(report.results).map((result) => fieldsOf(fieldsOf(result).trial))
    .find(({ target }) => target === id);
  return {
    id,
    label: server?.name ?? id,
    server: id,
    generator: trial?.generator ?? config.generator,
    env: { ...fieldsOf(config.serverEnv), WORKERS: String(config.workers) },
  };
}

function upgradeWindow(window: Fields): Fields {
  return {
    referenceUs: null,
    ...window,
    witness: change(window.witness, (witness) => ({ ...witness, absence: told(witness.absence) })),
    ceiling: change(window.ceiling, ({ cannedBusiest, ...ceiling }) => ({
      ...ceiling,
      nullServerBusiest: cannedBusiest,
    })),
  };
}

function upgradeCell(cell: Fields): Fields {
  return {
    ...ofArm(cell),
    reason: told(cell.reason),
    witnessAbsence: told(cell.witnessAbsence),
    verdict: change(cell.verdict, (verdict) => ({
      ...verdict,
      reasons: Array.isArray(verdict.reasons) ? verdict.reasons.map(told) : verdict.reasons,
    })),
  };
}

function ofArm({ target, ...rest }: Fields): Fields {
  return { arm: target, ...rest };
}

/** A reason was a sentence. */
function told(reason: unknown): unknown {
  return typeof reason === "string" ? { kind: "told", text: reason } : reason;
}

function change(value: unknown, how: (fields: Fields) => Fields): unknown {
  return isObject(value) ? how(value) : value;
}

function changeAll(values: unknown, how: (fields: Fields) => Fields): unknown {
  return Array.isArray(values) ? values.map((value) => change(value, how)) : values;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
