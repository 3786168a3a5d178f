import { deepStrictEqual, throws } from "node:assert/strict";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { LONGEST_BODY } from "../model/body.ts";
import { expanded } from "./routes.ts";

const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const CODERS = {
  gzip: (bytes: Uint8Array) => gzipSync(bytes),
  br: (bytes: Uint8Array) => brotliCompressSync(bytes, QUICKLY),
};
const WORDS = new TextEncoder().encode("some words ".repeat(100));

Deno.test("expanded gives what was compressed", () => {
  deepStrictEqual(expanded(WORDS, null), WORDS);
  for (const [coding, code] of Object.entries(CODERS)) {
    deepStrictEqual(new Uint8Array(expanded(code(WORDS), coding)), WORDS);
  }
});

Deno.test("expanded gives up what is no such coding, or expands to more than 64 MiB", () => {
  const long = new Uint8Array(LONGEST_BODY + 2 ** 20);
  for (const [coding, code] of Object.entries(CODERS)) {
    throws(() => expanded(code(long), coding), {
      name: "Mismatch",
      message: "expected a body of 64 MiB at most, got more",
    });
  }
  throws(() => expanded(WORDS, "gzip"), {
    message: /^expected a body that is coded as gzip, got /,
  });
  throws(() => expanded(WORDS, "zstd"), { message: "expected gzip or br, got zstd" });
});
