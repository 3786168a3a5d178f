import { match, ok, strictEqual } from "node:assert/strict";
import { Sandbox } from "./bench.ts";

const SERVER = `
import { createServer } from "node:http";
createServer((_request, response) => response.end("hello"))
  .listen(Number(process.env.PORT), process.env.HOST);
`;

Deno.test("what stampede init writes for a project is measured at once, and left alone the second time", async () => {
  await using sandbox = await Sandbox.create();
  const shop = `${sandbox.folder}/shop`;
  await Deno.mkdir(shop);
  await Deno.writeTextFile(`${shop}/index.js`, SERVER);
  const project = { name: "shop", type: "module", scripts: { start: "node index.js" } };
  await Deno.writeTextFile(`${shop}/package.json`, JSON.stringify(project));

  const first = await sandbox.tell(["init", "shop"]);
  strictEqual(first.code, 0, first.stderr);
  match(first.stdout, /^shop: JavaScript, detected from package\.json$/m);
  strictEqual(first.stdout.match(/^Wrote /gm)?.length, 4);
  const [, command = ""] = /^ {2}.* (--server .*)$/m.exec(first.stdout) ?? [];
  const args = command.split(" ");
  strictEqual(args[1], "shop/stampede/shop/server.json");

  const verified = await sandbox.run(["verify", ...args]);
  match(verified.stdout, /^pass {2}shop first: returns the expected response$/m, verified.stderr);
  const short = ["--quick", "-z", "0.5", "--warmup", "0.2"];
  const { code, stdout } = await sandbox.run([...args, ...short, "--profile"]);
  strictEqual(code, 0, stdout);
  match(stdout, /^first +(≥ )?[\d,.]+ /m);
  match(stdout, /^The profile is next to it, for DevTools: .*\.cpuprofile$/m);

  await Deno.writeTextFile(`${shop}/stampede/first.js`, "mine");
  const second = await sandbox.tell(["init", "shop"]);
  strictEqual(second.stdout.match(/^Kept the existing /gm)?.length, 4);
  strictEqual(await Deno.readTextFile(`${shop}/stampede/first.js`), "mine");
  ok(!second.stdout.includes("Wrote"));
});

Deno.test({
  name:
    "stampede init writes nothing outside of the project, and nothing at all if a link leads there",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    for (const link of ["stampede", ".github", ".github/workflows", "stampede/shop"]) {
      await using sandbox = await Sandbox.create();
      const [shop, outside] = [`${sandbox.folder}/shop`, `${sandbox.folder}/outside`];
      for (const folder of [shop, outside, `${shop}/stampede`, `${shop}/.github`]) {
        await Deno.mkdir(folder);
      }
      await Deno.writeTextFile(`${shop}/package.json`, '{"name":"shop"}');
      await Deno.remove(`${shop}/${link}`).catch(() => {});
      await Deno.symlink(outside, `${shop}/${link}`);
      const { code, stderr } = await sandbox.tell(["init", "shop"]);
      strictEqual(code, 2, link);
      match(
        stderr,
        new RegExp(`^Cannot write .*: ${link} is a link that leads out of the project`),
      );
      for (const folder of [outside, `${shop}/stampede`, `${shop}/.github`]) {
        for await (const { name } of Deno.readDir(folder)) {
          strictEqual(`${name}`, link.split("/")[1]);
        }
      }
    }
  },
});

Deno.test({
  name: "stampede init follows links within the project, and names what it cannot write",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    const shop = `${sandbox.folder}/shop`;
    await Deno.mkdir(`${shop}/tools`, { recursive: true });
    await Deno.writeTextFile(`${shop}/package.json`, '{"name":"shop"}');
    await Deno.symlink("tools", `${shop}/stampede`);
    const { code, stderr } = await sandbox.tell(["init", "shop"]);
    strictEqual(code, 0, stderr);
    await Deno.stat(`${shop}/tools/shop/server.json`);
    await Deno.remove(`${shop}/stampede`);
    await Deno.writeTextFile(`${shop}/stampede`, "a file");
    const failed = await sandbox.tell(["init", "shop"]);
    strictEqual(failed.code, 1);
    match(failed.stderr, /^Cannot write stampede\/shop\/server\.json: /);
  },
});
