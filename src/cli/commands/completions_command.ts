import { Option } from "commander";
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { FINE, UsageError } from "../../model/errors.ts";
import { FAULTS } from "../../model/fault.ts";
import { readCatalog } from "../../target/catalog.ts";
import { optionsOf } from "../options/commander.ts";
import { OPTIONS } from "../options/option_table.ts";
import type { CommandName } from "../options/option_spec.ts";
import type { Io } from "../io.ts";

/** A word that can be completed, with its description. */
interface Word {
  readonly word: string;
  readonly help: string;
}

/** The words of all completions. */
interface Vocabulary {
  readonly commands: readonly Word[];
  /** The options of each command. */
  readonly options: ReadonlyMap<string, readonly Word[]>;
  /** Ids of scenarios. They may be the first argument, because `run` is the default command. */
  readonly scenarios: readonly Word[];
  /** The values of options, by long flag. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Long flags of options that take a file or folder. */
  readonly files: readonly string[];
}

/** Matches the flags of options that take a file or folder. A revision may also be a manifest. */
const PLACES = /<(file|folder|revision)>$/;

const SHELLS: Readonly<Record<string, (vocabulary: Vocabulary) => string>> = { bash, zsh, fish };

/**
 * Runs `completions`: prints a script that completes Stampede's commands, options and names in a shell.
 *
 * @param commands the subcommands with their summaries
 * @returns the exit code
 * @throws {UsageError} if the shell is unknown
 */
export async function completions(
  [shell = ""]: readonly string[],
  commands: readonly { readonly name: CommandName; readonly summary: string }[],
  io: Io,
): Promise<number> {
  const script = SHELLS[shell];
  if (script === undefined) {
    throw new UsageError(
      `Cannot complete in "${shell}": choose from ${Object.keys(SHELLS).join(", ")}`,
    );
  }
  const servers = [...(await readCatalog()).keys(), "all"];
  io.out(script({
    commands: commands.map(({ name, summary }) => ({ word: name, help: summary })),
    options: new Map(commands.map(({ name }) => [name, words(optionsOf(name))])),
    scenarios: SCENARIOS.map(({ id, title }) => ({ word: id, help: title })),
    files: OPTIONS.filter(({ flags }) => PLACES.test(flags)).map(({ flags }) => longOf(flags)),
    values: new Map([
      ...OPTIONS.flatMap(({ flags, choices }) =>
        choices ? [[longOf(flags), choices] as const] : []
      ),
      ["--servers", servers],
      ["--explain", ["all", ...SCENARIOS.map(({ id }) => id)]],
      ["--only", FAULTS],
    ]),
  }));
  return FINE;
}

/** Returns the long flag of an option. */
function longOf(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

function words(options: readonly Option[]): Word[] {
  const help = new Option("-h, --help", "display help for command");
  return [...options, help].flatMap(({ short, long, description }) =>
    [short, long].flatMap((flag) => flag ? [{ word: flag, help: description }] : [])
  );
}

function bash({ commands, options, scenarios, values, files }: Vocabulary): string {
  const plain = (words: readonly Word[]): string => words.map(({ word }) => word).join(" ");
  const valueCases = [...values].map(([flag, words]) =>
    `    ${flag}) COMPREPLY=($(compgen -W '${words.join(" ")}' -- "$word")); return ;;`
  );
  const optionCases = [...options].map(([name, words]) =>
    `    ${name}) options='${plain(words)}' ;;`
  );
  return `# bash completion of stampede: source <(stampede completions bash)
_stampede() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} options
  case $before in
${valueCases.join("\n")}
    ${files.join(" | ")}) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case \${COMP_WORDS[1]} in
${optionCases.join("\n")}
    *) options='${plain(options.get("run") ?? [])}' ;;
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W '${plain([...commands, ...scenarios])}' -- "$word")) ;;
  esac
}
complete -o bashdefault -o default -F _stampede stampede`;
}

function zsh({ commands, options, scenarios, values, files }: Vocabulary): string {
  const described = (words: readonly Word[]): string =>
    words.map(({ word, help }) => `'${quoted(word.replaceAll(":", "\\:"))}:${quoted(help)}'`).join(
      " ",
    );
  const valueCases = [...values].map(([flag, words]) =>
    `    ${flag}) compadd -- ${words.join(" ")}; return ;;`
  );
  const optionCases = [...options].map(([name, words]) =>
    `    ${name}) list=(${described(words)}) ;;`
  );
  return `#compdef stampede
# zsh completion of stampede: source <(stampede completions zsh)
_stampede() {
  local -a list
  case $words[CURRENT-1] in
${valueCases.join("\n")}
    ${files.join(" | ")}) _files; return ;;
  esac
  case $words[2] in
${optionCases.join("\n")}
    *) list=(${described(options.get("run") ?? [])}) ;;
  esac
  if [[ $words[CURRENT] != -* ]]; then
    list=(${described([...commands, ...scenarios])})
  fi
  _describe stampede list
}
compdef _stampede stampede`;
}

function fish({ commands, options, scenarios, values }: Vocabulary): string {
  const names = commands.map(({ word }) => word).join(" ");
  const line = (when: string, rest: string, help: string): string =>
    `complete -c stampede -n '${when}' ${rest} -d '${quoted(help)}'`;
  const anywhere = `not __fish_seen_subcommand_from ${names}`;
  const optionLines = [...options].flatMap(([name, words]) => {
    const when = name === "run"
      ? `${anywhere}; or __fish_seen_subcommand_from run`
      : `__fish_seen_subcommand_from ${name}`;
    return words.map(({ word, help }) => {
      const own = values.get(word);
      const flag = word.startsWith("--") ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
      return line(when, own === undefined ? flag : `${flag} -xa '${own.join(" ")}'`, help);
    });
  });
  return [
    "# fish completion of stampede: stampede completions fish | source",
    ...commands.map(({ word, help }) => line("__fish_use_subcommand", `-a ${word}`, help)),
    ...scenarios.map(({ word, help }) => line(anywhere, `-a ${word}`, help)),
    ...optionLines,
  ].join("\n");
}

/** Escapes a text for single quotes in a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}
