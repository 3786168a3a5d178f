import { CryptoHasher } from "bun";

/** What an upload is answered. */
export function digestOf(bytes: ArrayBuffer): { bytes: number; sha256: string } {
  const sha256 = new CryptoHasher("sha256").update(bytes).digest("hex");
  return { bytes: bytes.byteLength, sha256 };
}
