/** Reads projects in Go, Rust and Java. */
import { parse } from "smol-toml";
import { type Folder, frameworkOf, need, type Project } from "./project.ts";

/** Reads a project with a go.mod; null without one. */
export async function readGo(folder: Folder): Promise<Project | null> {
  const text = await folder.read("go.mod");
  if (text === null) return null;
  const module = /^module\s+(\S+)/m.exec(text)?.[1] ?? folder.name;
  const isMain = await folder.has("main.go");
  const packages = ["gin-gonic/gin", "gofiber/fiber", "labstack/echo", "go-chi/chi"];
  return {
    by: "go.mod",
    name: module.split("/").at(-1) ?? folder.name,
    language: "Go",
    framework: frameworkOf(
      { gin: "Gin", fiber: "Fiber", echo: "Echo", chi: "chi" },
      packages.filter((one) => text.includes(one)).map((one) => one.split("/")[1] ?? ""),
    ),
    workers: "configurable",
    takesTurns: true,
    requires: [need(["go", "version"], "install Go, https://go.dev")],
    prepare: [["go", "build", "-o", "stampede-server", "."]],
    start: ["./stampede-server"],
    env: { GOMAXPROCS: "{WORKERS}" },
    doubts: isMain ? [] : ["which package is the program: there is no main.go next to go.mod"],
  };
}

/** Reads a project with a Cargo.toml; null without one. */
export async function readRust(folder: Folder): Promise<Project | null> {
  const text = await folder.read("Cargo.toml");
  if (text === null) return null;
  const { package: own, dependencies = {} } = parse(text) as {
    readonly package?: { readonly name?: string };
    readonly dependencies?: Readonly<Record<string, unknown>>;
  };
  const name = own?.name;
  const isLocked = await folder.has("Cargo.lock");
  return {
    by: "Cargo.toml",
    name: name ?? folder.name,
    language: "Rust",
    framework: frameworkOf(
      { axum: "axum", "actix-web": "Actix Web", rocket: "Rocket", warp: "warp" },
      Object.keys(dependencies),
    ),
    workers: "unlimited",
    takesTurns: false,
    requires: [need(["cargo", "--version"], "install Rust, https://rustup.rs")],
    prepare: [["cargo", "build", "--release", ...(isLocked ? ["--locked"] : [])]],
    start: [`./target/release/${name ?? folder.name}`],
    env: {},
    doubts: [
      ...(name === undefined
        ? ["which program of the workspace to start: Cargo.toml has no [package]"]
        : []),
      'how many threads it uses: with "workers": "unlimited" it is not ranked against servers with a number',
    ],
  };
}

/** Reads a project with a pom.xml; null without one. */
export async function readMaven(folder: Folder): Promise<Project | null> {
  const text = await folder.read("pom.xml");
  if (text === null) return null;
  const own = text.replace(/<parent>[^]*?<\/parent>/, "").replace(/<dependencies>[^]*/, "");
  const id = /<artifactId>\s*([^<\s]+)/.exec(own)?.[1];
  const version = /<version>\s*([^<\s]+)/.exec(own)?.[1];
  const isSpring = text.includes("spring-boot");
  return {
    by: "pom.xml",
    name: id ?? folder.name,
    language: "Java",
    framework: isSpring ? "Spring Boot" : text.includes("io.quarkus") ? "Quarkus" : null,
    workers: "configurable",
    takesTurns: true,
    requires: [
      need(["java", "--version"], "install a JDK"),
      need(["mvn", "--version"], "install Maven, https://maven.apache.org"),
    ],
    prepare: [["mvn", "-q", "-DskipTests", "package"]],
    start: [
      "java",
      "-XX:ActiveProcessorCount={WORKERS}",
      "-jar",
      `target/${id ?? folder.name}-${version ?? "1.0"}.jar`,
    ],
    env: isSpring ? { SERVER_PORT: "{PORT}", SERVER_ADDRESS: "{HOST}" } : {},
    doubts: id === undefined || version === undefined
      ? ["the name of its jar: pom.xml sets no artifactId or version"]
      : [],
  };
}
