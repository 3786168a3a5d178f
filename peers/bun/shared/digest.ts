import { CryptoHasher } from "bun";

/** Returns the response to an upload. */
export function digestOf(bytes: ArrayBuffer): { bytes: number; sha256: string } {
  const sha256 = new CryptoHasher("sha256").update(bytes).digest("hex");
  return { bytes: bytes.byteLength, sha256 };
}
