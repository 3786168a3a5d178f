/**
 * Serves the images of a folder to containerd: `registry_process.ts STORE ADDRESS PORT`.
 * https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
import { join } from "node:path";

const [store = "", hostname = "", port = ""] = Deno.args;
const tags: Record<string, string> = JSON.parse(await Deno.readTextFile(join(store, "tags.json")));
const PATH = /^\/v2\/(?<name>.+)\/(?<kind>manifests|blobs)\/(?<reference>[^/]+)$/;

Deno.serve({ hostname, port: Number(port), onListen: () => {} }, async ({ url, method }) => {
  const { pathname } = new URL(url);
  if (pathname === "/v2/") return new Response("{}");
  const { name, kind, reference = "" } = PATH.exec(pathname)?.groups ?? {};
  const digest = reference.startsWith("sha256:") ? reference : tags[`${name}:${reference}`];
  if (digest === undefined) return new Response("There is no such image", { status: 404 });
  const path = join(store, "blobs", digest.slice("sha256:".length));
  const { size } = await Deno.stat(path);
  return new Response(method === "HEAD" ? null : await Deno.readFile(path), {
    headers: {
      "content-type": kind === "manifests"
        ? "application/vnd.oci.image.manifest.v1+json"
        : "application/octet-stream",
      "content-length": String(size),
      "docker-content-digest": digest,
    },
  });
});
