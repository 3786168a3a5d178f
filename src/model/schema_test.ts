import { Ajv2020 } from "ajv/dist/2020.js";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as s from "./schema.ts";

const Leaf = s.object("Leaf", "A leaf.", { size: [s.nullable(s.count), "Its size."] });
const Tree = s.object("Tree", "A tree.", {
  name: [s.withDefault(s.text, "oak"), "Its name."],
  note: [s.optional(s.text), "What else there is."],
  leaves: [s.list(Leaf), "Its leaves."],
  best: [s.nullable(Leaf), "The best of them."],
  bark: [s.nullable(s.unnamed("Bark.", { age: [s.count, "Its age."] })), "What it wears."],
});
interface Tree extends s.Static<typeof Tree> {}

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
    link: ["A link.", { next: [s.reference<Chain>("Chain"), "What follows."] }],
  });
  interface Link extends s.Static<typeof Link> {}
  type Chain = s.Static<typeof End> | Link;
  const Chain: s.Schema<Chain> = s.named("Chain", s.union("A chain.", End, Link));
  const isChain = new Ajv2020().compile(
    s.document(s.unnamed("A bag.", { chain: [Chain, "A chain."] }), "Bag", "A bag."),
  );
  const chain: Chain = { kind: "link", next: { kind: "link", next: { kind: "end" } } };
  strictEqual(isChain({ chain }), true);
  strictEqual(isChain({ chain: { kind: "link", next: { kind: "knot" } } }), false);
  strictEqual(isChain({ chain: { kind: "end", next: chain } }), false);
});
