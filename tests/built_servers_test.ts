import { keepToContract } from "./contract.ts";

Deno.test("every server that has to be built keeps to the contract", async (t) => {
  await keepToContract(t, ({ prepare }) => prepare.length > 0);
});
