/** The options of all commands: help, checks, the reference and .env.example come from them. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../../model/errors.ts";
import { FORMATS } from "../../view/reporters.ts";
import { OPTIONS_OF_COMPARISONS } from "./comparison_options.ts";
import { OPTIONS_OF_RUNNERS } from "./distributed_options.ts";
import { OPTIONS_OF_MEASUREMENTS } from "./load_options.ts";
import {
  COMMAND_NAMES,
  type CommandName,
  list,
  MEASURING,
  type OptionSpec,
  type OptionTable,
  whole,
} from "./option_spec.ts";

/** Variables without a flag. Those of the database have none, because process lists show arguments. */
export const VARIABLES: readonly (readonly [name: string, fallback: string, help: string])[] = [
  ["STAMPEDE_RESULTS", "results", "the folder of reports"],
  [
    "DATABASE_URL",
    "",
    "the PostgreSQL server to use, such as postgres://user:password@127.0.0.1:5432/database; if neither this nor one of the next five is set, Stampede starts an embedded one",
  ],
  ["PGHOST", "127.0.0.1", "the same in parts, as libpq reads them: host"],
  ["PGPORT", "5432", "port"],
  ["PGUSER", "USER, or postgres", "user"],
  ["PGPASSWORD", "", "password"],
  ["PGDATABASE", "the user's name", "database"],
];

/** The options by purpose, under the headings of help and in its order. */
const GROUPS: Readonly<Record<string, OptionTable>> = {
  ...OPTIONS_OF_MEASUREMENTS,
  "Several machines": OPTIONS_OF_RUNNERS,
  "Comparison": OPTIONS_OF_COMPARISONS,
  "Output": {
    "--explain <scenarios>": {
      help: "print the evidence for these scenarios, separated by commas, or for all",
      brief: "print the evidence behind the figures",
      commands: ["run", "report"],
    },
    "--wide": {
      help: "print every figure (CPU/req, RSS, probe, start-up), every warning and the environment",
      commands: ["run", "capacity", "releases", "report", "import"],
    },
    "--out <file>": {
      help: "write the report to this file",
      commands: [...MEASURING.filter((name) => name !== "bisect"), "report", "import"],
      fallbackText: { else: "results/<time>-<id>.json", report: "standard output" },
    },
    "--out <folder>": {
      help: "write the site to this folder",
      commands: ["site"],
      fallbackText: "site",
    },
    "--repository <url>": {
      help:
        "address of the files of Stampede's repository: servers of the suite then link to their sources",
      commands: ["site"],
    },
    "--html <file>": {
      help: "write one HTML page with charts",
      brief: "write one HTML page with charts",
      commands: ["run", "capacity", "compare", "versus", "releases", "import"],
    },
    "--markdown <file>": {
      help: "write the result as Markdown",
      commands: ["run", "capacity", "compare", "versus", "releases", "import"],
    },
    "--profile": {
      help:
        "profile each server on Deno or Node.js for 3 s at each scenario, after the measurement: .cpuprofile files next to the report, flame graphs on the page",
      commands: ["run"],
    },
    "--csv <file>": {
      help: "write every figure as CSV",
      commands: ["run", "capacity", "releases", "import"],
    },
    "--format <name>": {
      help: "output format",
      commands: ["report"],
      choices: FORMATS,
      fallback: "table",
    },
    "--json": {
      help: {
        else: "print only the report, as JSON",
        compare: "print only the comparison, as JSON",
        versus: "print only the comparison, as JSON",
        bisect: "print only the result and the path to it, as JSON",
        work: "print only the work for each response, as JSON",
        faults: "print only the outcome of each fault, as JSON",
      },
      brief: "print only the report, as JSON",
      commands: [
        ...[
          "run",
          "capacity",
          "versus",
          "releases",
          "bisect",
          "compare",
          "work",
          "faults",
        ] as const,
        "import",
      ],
    },
    "--dry-run": {
      help: {
        else: "print the experiment and its plan, and measure nothing",
        clean: "list what would be removed",
      },
      commands: [...MEASURING, "clean"],
    },
  },
  "Database": {
    "--db-pool <n>": {
      help: "connections from a server to PostgreSQL (1 to 1000)",
      commands: [...MEASURING, "verify", "work", "faults", "serve"],
      env: "DB_POOL",
      fallbackText: {
        else: "the number of --connections, at most 100 (--rate: 10)",
        capacity: "10",
        verify: "10",
        work: "10",
        faults: "10",
        serve: "10",
      },
      parse: whole(1, 1000),
    },
    "--allow-remote-database": {
      help: "use a database on another machine",
      commands: [...MEASURING, "verify", "work", "faults", "serve", "clean-database"],
    },
  },
  "Machine": {
    "--workers <n,...>": {
      help:
        "processes or threads of each server, if its manifest can set them (1 to 256); several values are compared in a table",
      commands: ["run"],
      fallback: [1],
      fallbackText: "1",
      parse: list(whole(1, 256)),
    },
    "--workers <n>": {
      help: "processes or threads of each server, if its manifest can set them (1 to 256)",
      commands: [...MEASURING.filter((name) => name !== "run"), "verify", "faults"],
      fallback: 1,
      parse: whole(1, 256),
    },
    "--pin": {
      help: "pin server, database and load generator to separate CPUs, if there are enough",
      commands: MEASURING,
    },
    "--cpu-workers <n>": {
      help: "threads for primes in a server (1 to 256)",
      commands: [...MEASURING, "verify", "work", "faults", "serve"],
      env: "CPU_WORKERS",
      fallbackText: "number of cores",
      parse: whole(1, 256),
    },
    "--queue-limit <n>": {
      help: "requests that may wait for a worker or the database (0 to 1000000)",
      commands: [...MEASURING, "verify", "work", "faults", "serve"],
      env: "QUEUE_LIMIT",
      fallback: 10_000,
      parse: whole(0, 1_000_000),
    },
    "--cache <folder>": {
      help: {
        else: "folder for built servers; a server is built again if its files change",
        clean: "the folder that --cache named",
      },
      commands: [...MEASURING, "verify", "work", "faults", "clean"],
      env: "STAMPEDE_CACHE",
      fallbackText: "the user's cache folder",
    },
    "--host <address>": {
      help: "address to listen on",
      commands: ["serve"],
      env: "HOST",
      fallback: "127.0.0.1",
    },
    "--port <n>": {
      help: "port to listen on (1 to 65535)",
      commands: ["serve"],
      env: "PORT",
      fallback: 8000,
      parse: whole(1, 65535),
    },
  },
  "Options": { "--debug": { help: "print the stack of an error", commands: COMMAND_NAMES } },
};

/** All options, in the order of help. */
export const OPTIONS: readonly OptionSpec[] = Object.entries(GROUPS).flatMap(([group, options]) =>
  Object.entries(options).map(([flags, option]) => ({ ...option, flags, group }))
);

/** Returns the options of one command for commander; those of `run` begin with the most used ones. */
export function optionsOf(command: CommandName): Option[] {
  const own = OPTIONS.filter(({ commands }) => commands.includes(command));
  const isFirst = ({ brief }: OptionSpec): boolean => command === "run" && brief !== undefined;
  return [
    ...own.filter(isFirst).map((spec) => ({ ...spec, group: "Most used" })),
    ...own.filter((spec) => !isFirst(spec)),
  ].map((spec) => toOption(spec, command));
}

function toOption(
  { flags, group, help, env, fallback, fallbackText, choices, parse }: OptionSpec,
  command: CommandName,
): Option {
  const textFor = (text: OptionSpec["help"]): string =>
    typeof text === "object" ? text[command] ?? text.else : text;
  const inWords = fallbackText && textFor(fallbackText);
  const variable = env === undefined ? [] : [`env: ${env}`];
  const option = new Option(flags, textFor(help)).helpGroup(`${group}:`);
  if (fallback === undefined) {
    const notes = [...(inWords === undefined ? [] : [`default: ${inWords}`]), ...variable];
    option.description = [option.description, ...notes.map((note) => `(${note})`)].join(" ");
  } else {
    option.default(fallback, [inWords ?? JSON.stringify(fallback), ...variable].join(", "));
  }
  if (choices !== undefined) option.choices([...choices]);
  if (parse !== undefined) option.argParser(parse);
  return option;
}

/** Sets options without a flag: from variables (empty ones count as unset), then from those of --quick. */
export function applyDefaults(command: Command, env: (name: string) => string | undefined): void {
  const own = OPTIONS.filter(({ commands }) => commands.some((name) => name === command.name()));
  for (const { flags, env: variable, parse = (text: string) => text } of own) {
    const name = new Option(flags).attributeName();
    const text = variable === undefined ? undefined : env(variable);
    if (!text || command.getOptionValueSource(name) === "cli") continue;
    try {
      command.setOptionValueWithSource(name, parse(text, undefined), "env");
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new UsageError(
        `option '${flags}' value '${text}' from env '${variable}' is invalid. ${error.message}`,
      );
    }
  }
  if (!command.opts().quick) return;
  for (const { flags, quick } of OPTIONS) {
    const name = new Option(flags).attributeName();
    const isGiven = !["default", undefined].includes(command.getOptionValueSource(name));
    if (quick !== undefined && !isGiven) command.setOptionValue(name, quick);
  }
}
