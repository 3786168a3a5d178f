import { Ajv2020 } from "ajv/dist/2020.js";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as s from "./schema.ts";

class Leaf extends s.object("A leaf.", { size: s.count.orNull("Its size.") }) {}
class Tree extends s.object("A tree.", {
  name: s.text.byDefault("oak").is("Its name."),
  note: s.text.optional("What else there is."),
  leaves: s.list(Leaf).is("Its leaves."),
  best: Leaf.orNull("The best of them."),
  bark: s.object("Bark.", { age: s.count.is("Its age.") }).orNull("What it wears."),
}) {}

const whole: Tree = { name: "elm", leaves: [{ size: 1 }, { size: null }], best: null, bark: null };
const isTree = new Ajv2020({ useDefaults: true }).compile<Tree>(
  s.document(Tree, "Tree", "A tree."),
);

Deno.test("an object's schema takes what its type does, and nothing else", () => {
  strictEqual(isTree({ ...whole, note: "old", best: { size: 0 }, bark: { age: 9 } }), true);
  for (
    const wrong of [
      { ...whole, leaves: undefined },
      { ...whole, leaves: [{}] },
      { ...whole, best: { size: -1 } },
      { ...whole, bark: {} },
      { ...whole, note: null },
      { ...whole, more: 1 },
      null,
    ]
  ) {
    strictEqual(isTree(wrong), false, JSON.stringify(wrong));
  }
});

Deno.test("a default is filled in", () => {
  const { name: _name, ...nameless } = whole;
  const tree: unknown = { ...nameless };
  strictEqual(isTree(tree), true);
  deepStrictEqual(tree, { ...nameless, name: "oak" });
});

Deno.test("document holds everything that has a name once", () => {
  const { $defs, title, properties } = JSON.parse(
    JSON.stringify(s.document(Tree, "Tree", "A tree.")),
  );
  deepStrictEqual(Object.keys($defs), ["Leaf"]);
  strictEqual(title, "Tree");
  deepStrictEqual(properties.best, {
    anyOf: [{ $ref: "#/$defs/Leaf" }, { type: "null" }],
    description: "The best of them.",
  });
});

Deno.test("kinds are told apart, and may hold themselves", () => {
  const End = s.kinds({ end: ["The end.", {}] });
  const Link = s.kinds({
    link: ["A link.", { next: s.reference<Chain>("Chain").is("What follows.") }],
  });
  interface Link extends s.Static<typeof Link> {}
  type Chain = s.Static<typeof End> | Link;
  const Chain: s.Type<Chain> = s.named("Chain", s.union("A chain.", End, Link));
  const isChain = new Ajv2020().compile(
    s.document(s.object("A bag.", { chain: Chain.is("A chain.") }), "Bag", "A bag."),
  );
  const chain: Chain = { kind: "link", next: { kind: "link", next: { kind: "end" } } };
  strictEqual(isChain({ chain }), true);
  strictEqual(isChain({ chain: { kind: "link", next: { kind: "knot" } } }), false);
  strictEqual(isChain({ chain: { kind: "end", next: chain } }), false);
});
