import { fileURLToPath } from "node:url";
import type { Program } from "./suite.ts";

/**
 * Returns a program from PyPI, installed in a virtual environment. The folder's requirements.txt pins all
 * packages by hash.
 *
 * @param minimum the oldest supported version of Python
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
