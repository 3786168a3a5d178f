/** Reads projects in Python. */
import { parse } from "smol-toml";
import { type Folder, need, type Project } from "./project.ts";

const PYTHON = ".venv/bin/python";

/** Start command of each framework by its package, for an application named `app` in `main.py`. */
const SERVERS: Readonly<
  Record<string, { readonly name: string; readonly start: readonly string[] }>
> = {
  fastapi: {
    name: "FastAPI",
    start: ["-m", "uvicorn", "main:app", "--host", "{HOST}", "--port", "{PORT}"],
  },
  flask: {
    name: "Flask",
    start: ["-m", "flask", "--app", "main", "run", "--host", "{HOST}", "--port", "{PORT}"],
  },
  django: { name: "Django", start: ["manage.py", "runserver", "--noreload", "{HOST}:{PORT}"] },
};

/** Reads a project with a pyproject.toml or a requirements.txt; null without either. */
export async function readPython(folder: Folder): Promise<Project | null> {
  const project = await folder.read("pyproject.toml");
  const requirements = await folder.read("requirements.txt");
  if (project === null && requirements === null) return null;
  const { project: own } = (project === null ? {} : parse(project)) as {
    readonly project?: { readonly name?: string };
  };
  const needs = `${project ?? ""}\n${requirements ?? ""}`.toLowerCase();
  const [, server] = Object.entries(SERVERS).find(([name]) => needs.includes(name)) ?? [];
  const what = requirements === null ? ["."] : ["-r", "requirements.txt"];
  return {
    by: project === null ? "requirements.txt" : "pyproject.toml",
    name: own?.name ?? folder.name,
    language: "Python",
    framework: server?.name ?? null,
    workers: "one",
    takesTurns: true,
    requires: [need(["python3", "--version"], "install Python, https://python.org")],
    prepare: [
      ["python3", "-m", "venv", ".venv"],
      [PYTHON, "-m", "pip", "install", "--quiet", ...what],
    ],
    start: [PYTHON, ...(server?.start ?? ["main.py"])],
    env: {},
    doubts: [
      server === undefined
        ? "whether main.py starts it"
        : "whether the application is app in main.py, or manage.py exists",
    ],
  };
}
