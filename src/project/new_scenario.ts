/** Returns the text of a user's first scenario file. */
export function newScenarioText(id: string): string {
  return `// One request that people make of the server, and what a right response to it is.
export default {
  id: "${id}",
  title: "The first page",
  request: { path: "/" },
  // Make it as strict as you can: what throws says that the response is wrong.
  expect({ status, text }) {
    if (status !== 200) throw new Error(\`status \${status}: \${text.slice(0, 80)}\`);
  },
  // Under load the body has to be the very one, if it was twice the same before.
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
  if (typeof manifest?.scenarios !== "object") throw new SyntaxError("it has no scenarios");
  if (id in manifest.scenarios) return null;
  const scenarios = { ...manifest.scenarios, [id]: {} };
  return `${JSON.stringify({ ...manifest, scenarios }, null, 2)}\n`;
}
