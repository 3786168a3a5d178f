import { keepToContract } from "./contract.ts";
import { talkToDatabaseOnly, whyNoStrace } from "./outgoing.ts";

const REASON = whyNoStrace();

Deno.test("every server that has to be built keeps to the contract", async (t) => {
  await keepToContract(t, ({ prepare }) => prepare.length > 0);
});

Deno.test({
  name: `every server that has to be built talks to its database only${
    REASON ? ` (${REASON})` : ""
  }`,
  ignore: REASON !== null,
  fn: (t) => talkToDatabaseOnly(t, ({ prepare }) => prepare.length > 0),
});
