import { keepToContract } from "./contract.ts";

Deno.test("every server that needs no build keeps to the contract", async (t) => {
  await keepToContract(t, ({ prepare }) => prepare.length === 0);
});
