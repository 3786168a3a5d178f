/**
 * Makes the folder `kubernetes` with a Go module that can build Kubernetes: `kubernetes_module.ts VERSION`.
 *
 * The go.mod of k8s.io/kubernetes replaces the modules of its repository with folders, which its module lacks.
 * The new go.mod replaces them with their published versions: v0.34.4 belongs to Kubernetes 1.34.4.
 */
const [version = ""] = Deno.args;
const staging = version.replace(/^1/, "0");
await Deno.mkdir("kubernetes");
await Deno.writeTextFile("kubernetes/go.mod", "module cluster.invalid/kubernetes\n");
const { code, stdout, stderr } = await new Deno.Command("go", {
  args: ["mod", "download", "-json", `k8s.io/kubernetes@v${version}`],
  cwd: "kubernetes",
}).output();
const text = new TextDecoder().decode(stdout);
if (code !== 0) throw new Error(text + new TextDecoder().decode(stderr));
const { Dir: folder } = JSON.parse(text);
const original = await Deno.readTextFile(`${folder}/go.mod`);
const replaced = original
  .replace(/^module .*$/m, "module cluster.invalid/kubernetes")
  .replaceAll(/=> \.\/staging\/src\/(\S+)/g, `=> $1 v${staging}`)
  .replace(/^require \(/m, `require (\n\tk8s.io/kubernetes v${version}`);
await Deno.writeTextFile("kubernetes/go.mod", replaced);
await Deno.copyFile(`${folder}/go.sum`, "kubernetes/go.sum");
await Deno.chmod("kubernetes/go.sum", 0o644); // files of the module cache are read-only
