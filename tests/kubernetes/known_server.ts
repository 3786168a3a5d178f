/**
 * A server with known percentiles: 49 of 50 responses take 20 ms, one takes 200 ms. So a disturbance of a
 * millisecond changes no bucket. Its argument is its address. It prints its port when it listens.
 */
const [hostname = ""] = Deno.args;
const USUAL_MS = 20;
const SLOW_MS = 200;
let count = 0;

// deno-lint-ignore no-console -- standard output is its interface
const onListen = ({ port }: Deno.NetAddr): void => console.log(port);
Deno.serve({ hostname, port: 0, onListen }, async () => {
  const isSlow = count++ % 50 === 49;
  await new Promise((resolve) => setTimeout(resolve, isSlow ? SLOW_MS : USUAL_MS));
  return new Response("known\n");
});
