/**
 * Answers `/`, and contacts addresses other than its clients': TCP from a child process, a datagram to the
 * DNS port, IPv6, and another port of this machine. 192.0.2.0/24 and 2001:db8::/32 are for documentation.
 */
import { createSocket } from "node:dgram";

const datagrams = createSocket("udp4");
datagrams.on("error", () => {});
datagrams.send("x", 53, "192.0.2.1", () => datagrams.close());
Deno.connect({ hostname: "2001:db8::1", port: 443 }).catch(() => {});
Deno.connect({ hostname: "127.0.0.1", port: 9 }).catch(() => {});
new Deno.Command(Deno.execPath(), {
  args: ["eval", "Deno.connect({ hostname: '192.0.2.1', port: 443 }).catch(() => {})"],
}).spawn();

Deno.serve(
  { hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")), onListen: () => {} },
  () => new Response("Hello world"),
);
