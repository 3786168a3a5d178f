import type { Project } from "./detect.ts";

/** A project for Node.js without a framework. */
export const SHOP: Project = {
  name: "shop",
  by: "package.json",
  language: "JavaScript",
  framework: null,
  workers: "one",
  takesTurns: false,
  requires: [],
  prepare: [],
  start: ["node", "index.js"],
  env: {},
  doubts: [],
};
