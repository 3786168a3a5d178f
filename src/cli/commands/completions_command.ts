/** Prints scripts that complete Stampede's commands, options and names in a shell. */
import { Option } from "commander";
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { FINE, UsageError } from "../../model/errors.ts";
import { FAULTS } from "../../model/fault.ts";
import { readCatalog } from "../../target/catalog.ts";
import type { Io } from "../io.ts";
import { COMMAND_NAMES, type CommandName } from "../options/option_spec.ts";
import { OPTIONS, optionsOf } from "../options/option_table.ts";

type Words = readonly (readonly [word: string, help: string])[];

interface Vocabulary {
  readonly commands: Words;
  readonly options: ReadonlyMap<CommandName, Words>;
  /** The options of `run`, the default command. */
  readonly usual: Words;
  /** Ids of scenarios. They may be the first argument, because `run` is the default command. */
  readonly scenarios: Words;
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Flags of options that take a file or folder, separated by ` | `. */
  readonly files: string;
}

const SHELLS: Readonly<Record<string, (vocabulary: Vocabulary) => string>> = { bash, zsh, fish };

export async function completions(
  [shell = ""]: readonly string[],
  _options: unknown,
  io: Io,
  specs: Readonly<Record<CommandName, { readonly summary: string }>>,
): Promise<number> {
  const script = SHELLS[shell];
  if (script === undefined) {
    throw new UsageError(
      `Cannot complete in "${shell}": choose from ${Object.keys(SHELLS).join(", ")}`,
    );
  }
  const options = OPTIONS.map(({ flags, choices }) => {
    const flag = /--[\w-]+/.exec(flags)?.[0] ?? flags;
    // A revision may also be a manifest
    return { flag, choices, isPlace: /<(file|folder|revision)>$/.test(flags) };
  });
  io.out(script({
    commands: COMMAND_NAMES.map((name) => [name, specs[name].summary]),
    options: new Map(COMMAND_NAMES.map((name) => [name, wordsOf(name)])),
    usual: wordsOf("run"),
    scenarios: SCENARIOS.map(({ id, title }) => [id, title]),
    files: options.filter(({ isPlace }) => isPlace).map(({ flag }) => flag).join(" | "),
    values: new Map<string, readonly string[]>([
      ...options.flatMap(({ flag, choices }) => choices ? [[flag, choices] as const] : []),
      ["--servers", [...(await readCatalog()).keys(), "all"]],
      ["--explain", ["all", ...SCENARIOS.map(({ id }) => id)]],
      ["--only", FAULTS],
    ]),
  }));
  return FINE;
}

function wordsOf(command: CommandName): Words {
  const help = new Option("-h, --help", "display help for command");
  return [...optionsOf(command), help].flatMap(({ short, long, description }) =>
    [short, long].flatMap((flag) => flag ? [[flag, description] as const] : [])
  );
}

/** Returns lines of a `case` statement: for each pattern, the code of its value. */
function cases<T>(values: ReadonlyMap<string, T>, codeOf: (value: T) => string): string {
  return values.entries().map(([pattern, value]) => `    ${pattern}) ${codeOf(value)} ;;`)
    .toArray().join("\n");
}

function bash({ commands, options, usual, scenarios, values, files }: Vocabulary): string {
  const plain = (words: Words): string => words.map(([word]) => word).join(" ");
  return `# bash completion of stampede: source <(stampede completions bash)
_stampede() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} options
  case $before in
${cases(values, (words) => `COMPREPLY=($(compgen -W '${words.join(" ")}' -- "$word")); return`)}
    ${files}) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case \${COMP_WORDS[1]} in
${cases(options, (words) => `options='${plain(words)}'`)}
    *) options='${plain(usual)}' ;;
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W '${plain([...commands, ...scenarios])}' -- "$word")) ;;
  esac
}
complete -o bashdefault -o default -F _stampede stampede`;
}

function zsh({ commands, options, usual, scenarios, values, files }: Vocabulary): string {
  const described = (words: Words): string =>
    words.map(([word, help]) => `'${quoted(word.replaceAll(":", "\\:"))}:${quoted(help)}'`).join(
      " ",
    );
  return `#compdef stampede
# zsh completion of stampede: source <(stampede completions zsh)
_stampede() {
  local -a list
  case $words[CURRENT-1] in
${cases(values, (words) => `compadd -- ${words.join(" ")}; return`)}
    ${files}) _files; return ;;
  esac
  case $words[2] in
${cases(options, (words) => `list=(${described(words)})`)}
    *) list=(${described(usual)}) ;;
  esac
  if [[ $words[CURRENT] != -* ]]; then
    list=(${described([...commands, ...scenarios])})
  fi
  _describe stampede list
}
compdef _stampede stampede`;
}

function fish({ commands, options, scenarios, values }: Vocabulary): string {
  const line = (when: string, rest: string, help: string): string =>
    `complete -c stampede -n '${when}' ${rest} -d '${quoted(help)}'`;
  const seen = "__fish_seen_subcommand_from";
  const anywhere = `not ${seen} ${commands.map(([word]) => word).join(" ")}`;
  return [
    "# fish completion of stampede: stampede completions fish | source",
    ...commands.map(([word, help]) => line("__fish_use_subcommand", `-a ${word}`, help)),
    ...scenarios.map(([word, help]) => line(anywhere, `-a ${word}`, help)),
    ...[...options].flatMap(([name, words]) => {
      const when = name === "run" ? `${anywhere}; or ${seen} run` : `${seen} ${name}`;
      return words.map(([word, help]) => {
        const own = values.get(word);
        const flag = word.startsWith("--") ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
        return line(when, own === undefined ? flag : `${flag} -xa '${own.join(" ")}'`, help);
      });
    }),
  ].join("\n");
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}
