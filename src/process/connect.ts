import { connectTls } from "./tls_client.ts";

/** The address of a server, and whether it uses TLS. */
export interface Address {
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** Parses an origin such as `http://127.0.0.1:8000`. */
export function addressOf(origin: string): Address {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === "https:";
  return {
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port || (isTls ? 443 : 80)),
    isTls,
  };
}

/** Opens a connection to an address. Each write becomes a separate packet. */
export async function connect({ hostname, port, isTls }: Address): Promise<Deno.Conn> {
  if (isTls) return await connectTls({ hostname, port });
  const socket = await Deno.connect({ hostname, port });
  socket.setNoDelay(true);
  return socket;
}
