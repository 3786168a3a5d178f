import { basename, dirname, join } from "node:path";
import { detect } from "../../project/detect.ts";
import { commandOf, filesOf } from "../../project/files.ts";
import type { Folder } from "../../project/project.ts";
import { UsageError } from "../../model/errors.ts";
import { printable } from "../../model/text.ts";
import { quoted } from "../../view/reproduce.ts";
import type { Io } from "../io.ts";
import { FINE } from "../../model/exit_codes.ts";

/**
 * `init`: looks at a project, writes what Stampede needs to measure it, and says what to look at. What is there
 * already is left alone.
 *
 * @param folders one, or none for where the person is
 * @throws {UsageError} for a folder that does not tell what it is.
 */
export async function init([folder = "."]: readonly string[], io: Io): Promise<number> {
  const root = io.path(folder);
  const isFolder = await Deno.stat(root).then(({ isDirectory }) => isDirectory, () => null);
  if (isFolder !== true) {
    throw new UsageError(
      isFolder === null
        ? `There is no folder "${folder}": name the folder of the project`
        : `Cannot look at "${folder}": it is a file; name the folder of the project`,
    );
  }
  const project = await detect(folderAt(root));
  const { by, language, framework, prepare, start, doubts } = project;
  const tell = (text: string): void => io.say(printable(text));
  const what = [language, ...(framework === null ? [] : [framework])].join(", ");
  tell(`${basename(root)} is ${what}, by its ${by}.\n`);
  for (const { path, what, text } of filesOf(project)) {
    const isNew = await writeNew(join(root, path), text);
    io.out(`${isNew ? "written" : "is there, left alone"}: ${path} (${what})`);
  }
  const prefix = root === io.path(".") ? "" : `${folder}/`;
  const commands = [["verify"], []].map((more) =>
    quoted([
      ...io.program,
      ...more,
      ...commandOf(project).map((word) => word.startsWith("--") ? word : prefix + word),
    ])
  );
  const lines = [
    "",
    "Look at:",
    `- how it is built: ${prepare.map((command) => command.join(" ")).join("; ")}`,
    `- how it is started: ${start.join(" ")}`,
    ...doubts.map((doubt) => `- ${doubt}`),
    "- the request in stampede/first.js: it asks for / and expects 200",
    "- that it listens at HOST and PORT of its environment, and ends when it gets SIGTERM",
    "- OWNER in the workflow: where Stampede lies",
    ...(await isRepository(root)
      ? []
      : ["- that .github is at the top of the repository: GitHub looks there alone"]),
    "",
    "Then:",
  ];
  for (const line of lines) tell(line);
  // Not wrapped, so that they can be copied
  for (const command of commands) io.out(printable(`  ${command}`));
  return FINE;
}

function folderAt(root: string): Folder {
  return {
    name: basename(root),
    read: (path) =>
      Deno.readTextFile(join(root, path)).catch((error) => {
        if (error instanceof Deno.errors.NotFound) return null;
        throw error;
      }),
  };
}

/** Whether a folder is the top of a git repository. */
function isRepository(root: string): Promise<boolean> {
  return Deno.stat(join(root, ".git")).then(() => true, () => false);
}

/** Writes a file unless there is one. */
async function writeNew(path: string, text: string): Promise<boolean> {
  await Deno.mkdir(dirname(path), { recursive: true });
  try {
    await Deno.writeTextFile(path, text, { createNew: true });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}
