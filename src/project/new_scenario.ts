/** Returns the text of a user's first scenario file. */
export function newScenarioText(id: string): string {
  return `// A typical request, and its right response.
export default {
  id: "${id}",
  title: "The first page",
  request: { path: "/" },
  // Be strict: an error means that the response is wrong.
  expect({ status, text }) {
    if (status !== 200) throw new Error(\`status \${status}: \${text.slice(0, 80)}\`);
  },
  // Under load the body must stay the same, if it was the same twice before.
  underLoad: "stable",
};
`;
}

/**
 * Adds a scenario to a manifest.
 *
 * @param text the manifest as JSON
 * @returns the new text; null if the scenario is already there
 * @throws {SyntaxError} if the text is not a manifest.
 */
export function withScenario(text: string, id: string): string | null {
  const manifest = JSON.parse(text);
  const known = manifest?.scenarios ?? (manifest?.extends === undefined ? null : {});
  if (typeof known !== "object" || known === null) throw new SyntaxError("it has no scenarios");
  if (id in known) return null;
  const scenarios = { ...known, [id]: {} };
  return `${JSON.stringify({ ...manifest, scenarios }, null, 2)}\n`;
}
