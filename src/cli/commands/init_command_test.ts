import { strictEqual } from "node:assert/strict";
import { SHOP } from "../../project/project_testdata.ts";
import { filesOf } from "./init_command.ts";

Deno.test("any name becomes an id", () => {
  const ids = ["@me/My shop", "shop", "2048-game", "é", "a_b.c-"].map((name) => {
    const [manifest] = filesOf({ ...SHOP, name });
    return manifest?.path.split("/")[1];
  });
  strictEqual(ids.join(), "my-shop,shop,game,server,a-b-c");
});
