import { match, rejects, strictEqual } from "node:assert/strict";
import { messageCommand, setOutputs } from "./commands.ts";
import { temporary, testWorld } from "./ci_testdata.ts";

Deno.test("no text becomes another command of the log", () => {
  strictEqual(
    messageCommand("warning", "50% is\r\n::error::x\x1b[2J"),
    "::warning title=Stampede::50%25 is%0A::error::x\ufffd[2J",
  );
  strictEqual(messageCommand("error", "a\rb"), "::error title=Stampede::a\ufffdb");
});

Deno.test("an output cannot set another one", async () => {
  await using folder = await temporary();
  const output = `${folder.path}/output`;
  const world = testWorld({ GITHUB_OUTPUT: output });
  await setOutputs(world, { verdict: "x\nreport=/etc/passwd", report: "" });
  match(
    await Deno.readTextFile(output),
    /^verdict<<(stampede_[0-9a-f-]{36})\nx\nreport=\/etc\/passwd\n\1\nreport<<(stampede_[0-9a-f-]{36})\n\n\2\n$/,
  );
  await rejects(
    setOutputs(testWorld({ GITHUB_OUTPUT: folder.path }), {}),
    /^Failure: Cannot write to the file that GITHUB_OUTPUT names: /,
  );
  await setOutputs(testWorld({}), { report: "nowhere" });
});
