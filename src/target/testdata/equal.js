// Calls 20 functions for each response, which all take equally long
const CODE = `
${
  Array.from(
    { length: 20 },
    (_, i) => `
function work${i}(x) {
  for (let i = 0; i < 200; i++) x = (x * 31 + i) | 0;
  return x;
}`,
  ).join("")
}
let sum = 0;
return () => {
  ${Array.from({ length: 20 }, (_, i) => `sum = work${i}(sum);`).join("\n  ")}
};`;
const work = new Function(CODE)();
const { createServer } = await import("node:http");
const { env } = await import("node:process");
createServer((_request, response) => {
  work();
  response.end("Hello");
}).listen(Number(env.PORT), env.HOST);
