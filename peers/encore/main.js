import { resolve } from "node:path";

process.env.ENCORE_RUNTIME_LIB = resolve("encore-runtime.node");
await import("./.encore/build/combined/combined/main.mjs");
