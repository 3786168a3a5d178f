/** npm for tests: the package of this tree, a registry that has it, and a person's environment. */
import { join } from "node:path";

/** Runs a program to its end; returns its standard output. Throws if it fails. */
export async function run(
  cwd: string,
  [program = "", ...args]: readonly string[],
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    stdin: "null",
  }).output();
  const [out = "", err = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`${program} ${args.join(" ")}: ${err}`);
  return out;
}

/** Returns the variables of a login with an empty HOME in a folder, and npm's settings. */
export function loginVariables(folder: string): Record<string, string> {
  const known = Object.entries(Deno.env.toObject()).filter(([name]) =>
    /^(NPM_CONFIG|npm_config)_registry$|_PROXY$|_proxy$|CERT|^GO|^CARGO|^LANG$/.test(name)
  );
  return {
    ...Object.fromEntries(known),
    HOME: join(folder, "home"),
    TMPDIR: join(folder, "tmp"),
    PATH: pathWithoutDeno(),
    NO_COLOR: "1",
  };
}

/** Returns the folders of programs except those with Deno, as on a machine with only Node.js. */
export function pathWithoutDeno(): string {
  return (Deno.env.get("PATH") ?? "").split(":")
    .filter((folder) => !folder.includes("node_modules") && !hasDeno(folder)).join(":");
}

function hasDeno(folder: string): boolean {
  try {
    return Deno.statSync(join(folder, "deno")).isFile;
  } catch {
    return false;
  }
}

/** A registry with one package. It redirects requests for others to the registry of this machine. */
export class Registry implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  private constructor(
    tarball: Uint8Array<ArrayBuffer>,
    manifest: { readonly name: string; readonly version: string },
  ) {
    const upstream = Deno.env.get("NPM_CONFIG_REGISTRY") ?? "https://registry.npmjs.org/";
    const { name, version } = manifest;
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
      const { pathname, origin } = new URL(url);
      if (pathname === `/${name}.tgz`) return new Response(tarball);
      if (pathname !== `/${name}`) {
        return Response.redirect(new URL(pathname.slice(1), upstream));
      }
      const dist = { tarball: `${origin}/${name}.tgz` };
      return Response.json({
        name,
        "dist-tags": { latest: version },
        versions: { [version]: { ...manifest, dist } },
      });
    });
  }

  /** Starts a registry with the package in a tarball. */
  static async start(tarball: string): Promise<Registry> {
    const manifest = await run(".", ["tar", "-xzOf", tarball, "package/package.json"]);
    return new Registry(await Deno.readFile(tarball), JSON.parse(manifest));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
