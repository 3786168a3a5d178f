/** A server for Deno and Node.js that spends its time in one function. */
import { createServer } from "node:http";
import process from "node:process";

// deno-lint-ignore explicit-function-return-type -- JavaScript has no types
function countUp() {
  let sum = 0;
  for (let i = 0; i < 2e5; i++) sum += i % 7;
  return sum;
}

createServer((_request, response) => response.end(String(countUp())))
  .listen(Number(process.env.PORT), process.env.HOST);
