/**
 * A server that starts as its argument says. It answers with the variables of the contract that it
 * received.
 */
const names = ["DATABASE_URL", "HOST", "PORT", "SECRET_OF_THE_SHELL"];
const [how] = Deno.args;
if (how === "end") {
  await Deno.stderr.write(new TextEncoder().encode("no licence\n"));
  Deno.exit(5);
}
if (how === "busy-once") {
  try {
    // The port is taken at the first start
    await Deno.writeTextFile(Deno.env.get("MARK") ?? "", "", { createNew: true });
    await Deno.stderr.write(new TextEncoder().encode("Address already in use (os error 98)\n"));
    Deno.exit(1);
  } catch {
    // The port is free now
  }
}
if (how === "slowly") await new Promise((resolve) => setTimeout(resolve, 300));
if (how === "never") await new Promise((resolve) => setTimeout(resolve, 60_000));
Deno.serve(
  { hostname: Deno.env.get("HOST") ?? "", port: Number(Deno.env.get("PORT")) },
  () => new Response(names.filter((name) => Deno.env.has(name)).join()),
);
