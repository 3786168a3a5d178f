import { strictEqual, throws } from "node:assert/strict";
import { notesOf, problemOf } from "./release.ts";

const CHANGELOG = "# Changelog\n\n## 0.2.0\n\nNew.\n\n### CI\n\n- one\n\n## 0.1.0\n\nFirst.\n";

Deno.test("release notes are the first section of the changelog", () => {
  strictEqual(notesOf(CHANGELOG, "0.2.0"), "New.\n\n### CI\n\n- one\n");
  strictEqual(notesOf("# Changelog\n\n## 0.1.0\n\nFirst.\n", "0.1.0"), "First.\n");
});

Deno.test("a version without its own section is not released", () => {
  throws(() => notesOf(CHANGELOG, "0.1.0"), {
    message: "CHANGELOG.md begins with 0.2.0, but deno.json has version 0.1.0",
  });
  throws(() => notesOf("# Changelog\n\n## 0.1.0\n\n", "0.1.0"));
  throws(() => notesOf("", "0.1.0"), { message: /begins with no version/ });
});

Deno.test("a tree is released only if it is committed, and its tag is free or its own", () => {
  const clean = { status: "", tags: "v0.1.0", tagsHere: "" };
  strictEqual(problemOf(clean, "v1.0.0"), null);
  strictEqual(problemOf({ ...clean, tags: "v0.1.0\nv1.0.0", tagsHere: "v1.0.0" }, "v1.0.0"), null);
  strictEqual(
    problemOf({ ...clean, status: " M README.md\n" }, "v1.0.0"),
    "a file is not committed: README.md",
  );
  strictEqual(
    problemOf({ ...clean, tags: "v0.1.0\nv1.0.0" }, "v1.0.0"),
    "the tag v1.0.0 already names another commit",
  );
});
