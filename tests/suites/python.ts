import { fileURLToPath } from "node:url";
import type { Program } from "./suite.ts";

/**
 * A program from PyPI, in a virtual environment; its versions are pinned by hashes in the folder's
 * requirements.txt.
 *
 * @param minimum the oldest Python that it runs on
 */
export function pythonProgram(id: string, minimum: string): Program {
  return {
    id,
    name: id,
    folder: fileURLToPath(new URL(`./${id}/`, import.meta.url)),
    sources: ".",
    requires: [
      {
        command: ["python3", "-c", "import ensurepip, sys; print(sys.version)"],
        minimum,
        install:
          `install Python ${minimum}+ with its module venv, https://www.python.org/downloads/`,
      },
    ],
    prepare: [
      ["python3", "-m", "venv", ".venv"],
      [".venv/bin/pip", "install", "--require-hashes", "-r", "requirements.txt"],
    ],
  };
}
