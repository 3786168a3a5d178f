import type { Report } from "../../model/report.ts";
import { UNKNOWN } from "../../model/format.ts";
import { bareMilliseconds, halfWidth } from "../format.ts";
import { column, intervalColumn, type Table } from "../table.ts";

/** Returns the table of TLS handshakes, a row for each server; null without TLS. */
export function handshakesTable({ servers }: Report): Table | null {
  const shaken = servers.filter(({ handshakeUs }) => handshakeUs !== null);
  if (shaken.length === 0) return null;
  const time = (us: number | null): string => us === null ? UNKNOWN : bareMilliseconds(us);
  return {
    columns: [
      column("TLS server", false),
      column(
        "Handshake ms",
        true,
        0,
        "time for a full TLS handshake, TCP connect included; no other figure includes it",
      ),
      intervalColumn(),
      column("CPU ms", true, 0, "the server's CPU time per handshake"),
    ],
    rows: shaken.map(({ id, handshakeUs, handshakeCpuUs }) => ({
      server: id,
      cells: [
        id,
        time(handshakeUs?.median ?? null),
        halfWidth(handshakeUs),
        time(handshakeCpuUs),
      ],
    })),
  };
}
