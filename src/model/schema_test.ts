import { Ajv2020 } from "ajv/dist/2020.js";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  count,
  document,
  kinds,
  list,
  named,
  nullable,
  object,
  optional,
  reference,
  type Schema,
  type Static,
  text,
  union,
  unnamed,
  withDefault,
} from "./json_schema.ts";

const Leaf = object("Leaf", "A leaf.", { size: [nullable(count), "Its size."] });
const Tree = object("Tree", "A tree.", {
  name: [withDefault(text, "oak"), "Its name."],
  note: [optional(text), "What else there is."],
  leaves: [list(Leaf), "Its leaves."],
  best: [nullable(Leaf), "The best of them."],
  bark: [nullable(unnamed("Bark.", { age: [count, "Its age."] })), "What it wears."],
});
interface Tree extends Static<typeof Tree> {}

const whole: Tree = { name: "elm", leaves: [{ size: 1 }, { size: null }], best: null, bark: null };
const isTree = new Ajv2020({ useDefaults: true }).compile<Tree>(document(Tree, "Tree", "A tree."));

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
    JSON.stringify(document(Tree, "Tree", "A tree.")),
  );
  deepStrictEqual(Object.keys($defs), ["Leaf"]);
  strictEqual(title, "Tree");
  deepStrictEqual(properties.best, {
    anyOf: [{ $ref: "#/$defs/Leaf" }, { type: "null" }],
    description: "The best of them.",
  });
});

Deno.test("kinds are told apart, and may hold themselves", () => {
  const End = kinds({ end: ["The end.", {}] });
  const Link = kinds({ link: ["A link.", { next: [reference<Chain>("Chain"), "What follows."] }] });
  interface Link extends Static<typeof Link> {}
  type Chain = Static<typeof End> | Link;
  const Chain: Schema<Chain> = named("Chain", union("A chain.", End, Link));
  const isChain = new Ajv2020().compile(
    document(unnamed("A bag.", { chain: [Chain, "A chain."] }), "Bag", "A bag."),
  );
  const chain: Chain = { kind: "link", next: { kind: "link", next: { kind: "end" } } };
  strictEqual(isChain({ chain }), true);
  strictEqual(isChain({ chain: { kind: "link", next: { kind: "knot" } } }), false);
  strictEqual(isChain({ chain: { kind: "end", next: chain } }), false);
});
