import { deepStrictEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { readCatalog, readManifest } from "../src/target/catalog.ts";
import {
  addressesIn,
  outgoingAddresses,
  talkToDatabaseOnly,
  whyNoStrace,
  withTestbed,
} from "./outgoing.ts";

const PHONING = fileURLToPath(new URL("servers/phoning", import.meta.url));
const REASON = whyNoStrace();

Deno.test({
  name: `every server that needs no build talks to its database only${
    REASON ? ` (${REASON})` : ""
  }`,
  ignore: REASON !== null,
  fn: (t) => talkToDatabaseOnly(t, ({ prepare }) => prepare.length === 0),
});

Deno.test({
  name: `a server that talks to other addresses is found${REASON ? ` (${REASON})` : ""}`,
  ignore: REASON !== null,
  fn: () =>
    withTestbed(async (testbed) => {
      const found = await outgoingAddresses(testbed, await readManifest(PHONING));
      deepStrictEqual(found.toSorted(), [
        "127.0.0.1:9",
        "192.0.2.1:443",
        "192.0.2.1:53",
        "2001:db8::1:443",
      ]);
    }),
});

Deno.test({
  name: `a server on Deno does not look for a newer Deno${REASON ? ` (${REASON})` : ""}`,
  ignore: REASON !== null,
  fn: () =>
    withTestbed(async (testbed) => {
      const server = (await readCatalog()).get("deno-bare");
      ok(server !== undefined);
      // Deno checks once a day and records that in DENO_DIR
      const folder = await Deno.makeTempDir();
      try {
        deepStrictEqual(await outgoingAddresses(testbed, server, { DENO_DIR: folder }), []);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    }),
});

Deno.test("addresses are read from what strace prints", () => {
  deepStrictEqual(
    addressesIn(`
1 connect(24, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file)
1 connect(24, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = 0
2 sendto(9, ""..., 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16 <unfinished ...>
2 sendto(23, ""..., 143, MSG_NOSIGNAL, NULL, 0) = 143
3 connect(7, {sa_family=AF_INET6, sin6_port=htons(5432), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "::ffff:127.0.0.1", &sin6_addr), sin6_scope_id=0}, 28) = -1 EINPROGRESS
3 sendmsg(7, {msg_name={sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, msg_namelen=28}, 0) = 1
`),
    ["192.0.2.1:53", "127.0.0.1:5432", "2001:db8::1:443"],
  );
});
