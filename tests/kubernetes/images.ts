/** Images of containers, made from the built programs and those of this machine. */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { which } from "../../src/process/files.ts";
import { K6_VERSION } from "../../src/distributed/kubernetes.ts";
import { outputOf } from "../suites/program.ts";
import { findInOperator, type Programs } from "./programs.ts";

/** Image of the container that keeps a pod's namespaces. */
export const PAUSE_IMAGE = "localhost/pause:local";

/** What an image runs by default. https://github.com/opencontainers/image-spec/blob/main/config.md */
interface Settings {
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly workdir?: string;
}

/**
 * Makes the images that k6-operator and an exported manifest name, in the folder `store`: blobs by their digest,
 * and `tags.json` with the digest of each name.
 */
export async function makeImages(programs: Programs, store: string): Promise<void> {
  const tags: Record<string, string> = {};
  await Deno.mkdir(join(store, "blobs"), { recursive: true });
  const make = async (name: string, settings: Settings, files: Files): Promise<void> => {
    const root = join(store, "root");
    await files(root);
    // One registry replaces all, so names of hosts are left out
    tags[name.replace(/^[^/]*[.:][^/]*\/|^localhost\//, "")] = await makeImage(
      store,
      root,
      settings,
    );
    await Deno.remove(root, { recursive: true });
  };
  const { bin } = programs;
  const nonroot = "65532:65532"; // as in the operator's Dockerfiles
  await make(PAUSE_IMAGE, { user: "65535:65535", entrypoint: ["sleep", "inf"] }, busybox);
  // User, folder and entry point as in k6's Dockerfile
  const k6 = { user: "12345", entrypoint: ["k6"], workdir: "/home/k6" };
  await make(`grafana/k6:${K6_VERSION}`, k6, async (root) => {
    await busybox(root);
    await Deno.mkdir(join(root, "home/k6"), { recursive: true });
    await add(join(bin, "k6"), root);
  });
  const starter = findInOperator(programs, "pkg/resources/jobs/starter.go", /"(\S+-starter)"/);
  await make(starter, { user: nonroot, entrypoint: ["curl"] }, async (root) => {
    await busybox(root);
    await addWithLibraries(which("curl") ?? "curl", root);
  });
  const manager = findInOperator(programs, "bundle.yaml", /image: (\S+:controller-\S+)/);
  await make(
    manager,
    { user: nonroot, entrypoint: ["/manager"] },
    // The operator's manifest names the program by this path
    (root) => copy(join(bin, "manager"), join(root, "manager")),
  );
  await Deno.writeTextFile(join(store, "tags.json"), JSON.stringify(tags));
}

/** Seconds that a program may take to list or pack files. */
const TIMEOUT_S = 60;

function printed(argv: readonly string[]): Promise<string> {
  return outputOf(argv, { timeoutS: TIMEOUT_S });
}

/** Writes the files of an image to a folder. */
type Files = (root: string) => Promise<void>;

/** Writes busybox as every command, and a folder for temporary files. */
async function busybox(root: string): Promise<void> {
  const program = which("busybox") ?? "busybox";
  await add(program, root);
  for (const name of (await printed([program, "--list"])).trim().split("\n")) {
    if (name !== "busybox") await Deno.symlink("busybox", join(root, "bin", name));
  }
  await Deno.mkdir(join(root, "tmp"));
  await Deno.chmod(join(root, "tmp"), 0o1777);
  // curl asks for the user's name
  await Deno.mkdir(join(root, "etc"));
  await Deno.writeTextFile(join(root, "etc/passwd"), "root:x:0:0::/:/bin/sh\n");
}

async function add(program: string, root: string): Promise<void> {
  await copy(program, join(root, "bin", basename(program)));
}

async function addWithLibraries(program: string, root: string): Promise<void> {
  await add(program, root);
  for (const [path] of (await printed(["ldd", program])).matchAll(/\/\S+/g)) {
    await copy(path, root + path);
  }
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.copyFile(await Deno.realPath(from), to);
}

/** Makes an image with one layer. Returns the digest of its manifest. */
async function makeImage(store: string, root: string, settings: Settings): Promise<string> {
  const tar = join(store, "layer.tar");
  const reproducible = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
  await printed(["tar", "-C", root, ...reproducible, "-cf", tar, "."]);
  const layer = await put(store, await Deno.readFile(tar));
  await Deno.remove(tar);
  const { user, entrypoint, workdir = "/" } = settings;
  const config = await put(store, {
    architecture: Deno.build.arch === "x86_64" ? "amd64" : "arm64",
    os: "linux",
    config: { Env: ["PATH=/bin"], Entrypoint: entrypoint, User: user, WorkingDir: workdir },
    rootfs: { type: "layers", diff_ids: [layer.digest] },
  });
  const manifest = await put(store, {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
    layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", ...layer }],
  });
  return manifest.digest;
}

/** Stores bytes, or an object as JSON. */
async function put(
  store: string,
  content: Uint8Array | object,
): Promise<{ readonly digest: string; readonly size: number }> {
  const bytes = content instanceof Uint8Array
    ? content
    : new TextEncoder().encode(JSON.stringify(content));
  const hash = createHash("sha256").update(bytes).digest("hex");
  await Deno.writeFile(join(store, "blobs", hash), bytes);
  return { digest: `sha256:${hash}`, size: bytes.length };
}
