import { match, ok, strictEqual } from "node:assert/strict";
import { Sandbox } from "./bench.ts";

const SERVER = `
import { createServer } from "node:http";
createServer((_request, response) => response.end("hello"))
  .listen(Number(process.env.PORT), process.env.HOST);
`;

Deno.test("what bench init writes for a project is measured at once, and left alone the second time", async () => {
  await using sandbox = await Sandbox.create();
  const shop = `${sandbox.folder}/shop`;
  await Deno.mkdir(shop);
  await Deno.writeTextFile(`${shop}/index.js`, SERVER);
  const project = { name: "shop", type: "module", scripts: { start: "node index.js" } };
  await Deno.writeTextFile(`${shop}/package.json`, JSON.stringify(project));

  const first = await sandbox.tell(["init", "shop"]);
  strictEqual(first.code, 0, first.stderr);
  match(first.stdout, /^shop is JavaScript, by its package\.json\.$/m);
  strictEqual(first.stdout.match(/^written: /gm)?.length, 3);
  const [, command = ""] = /^ {2}.* (--server .*)$/m.exec(first.stdout) ?? [];
  const args = command.split(" ");
  strictEqual(args[1], "shop/stampede/shop/server.json");

  const verified = await sandbox.run(["verify", ...args]);
  match(verified.stdout, /^pass {2}shop first: answers first$/m, verified.stderr);
  const { code, stdout } = await sandbox.run([...args, "--quick", "-z", "0.5", "--warmup", "0.2"]);
  strictEqual(code, 0, stdout);
  match(stdout, /^first +(≥ )?[\d,.]+ /m);

  await Deno.writeTextFile(`${shop}/stampede/first.js`, "mine");
  const second = await sandbox.tell(["init", "shop"]);
  strictEqual(second.stdout.match(/^is there, left alone: /gm)?.length, 3);
  strictEqual(await Deno.readTextFile(`${shop}/stampede/first.js`), "mine");
  ok(!second.stdout.includes("written"));
});
