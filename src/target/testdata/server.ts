/** A server that starts as its argument says, and answers which variables of the contract it got. */
const names = ["DATABASE_URL", "HOST", "PORT", "SECRET_OF_THE_SHELL"];
const [how] = Deno.args;
if (how === "end") {
  await Deno.stderr.write(new TextEncoder().encode("no licence\n"));
  Deno.exit(5);
}
if (how === "slowly") await new Promise((resolve) => setTimeout(resolve, 300));
if (how === "never") await new Promise((resolve) => setTimeout(resolve, 60_000));
Deno.serve(
  { hostname: Deno.env.get("HOST") ?? "", port: Number(Deno.env.get("PORT")) },
  () => new Response(names.filter((name) => Deno.env.has(name)).join()),
);
