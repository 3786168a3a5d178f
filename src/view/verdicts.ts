/** What became of base in head, in a sentence or two. */
import type { Change, Changes } from "../model/derived.ts";
import { count, share } from "./format.ts";
import { FIGURES, percent } from "./tables/changes.ts";

/** What is proven, first what became slower; it stands first wherever changes are told. */
export function changesVerdict({ changes }: Pick<Changes, "changes">): string {
  const isServed = new Set(changes.map(({ arm }) => arm)).size > 1;
  const named = ({ arm, scenario }: Change): string =>
    isServed ? `${scenario} of ${arm}` : scenario;
  const of = (verdict: Change["verdict"]): Change[] =>
    changes.filter((change) => change.verdict === verdict);
  const proven = (verdict: "faster" | "slower"): string[] => {
    const tasks = Map.groupBy(of(verdict), named);
    if (tasks.size === 0) return [];
    const texts = [...tasks].map(([task, own]) => `${task} (${own.map(brief).join(", ")})`);
    return [`${capital(verdict)}: ${texts.join(", ")}.`];
  };
  const same = of("same");
  const apart = new Set(of("incomparable").map(named));
  return [
    ...proven("slower"),
    ...proven("faster"),
    ...unchanged(changes, same.map(named)),
    ...(apart.size === 0 ? [] : [`Not comparable: ${[...apart].join(", ")}.`]),
  ].join(" ");
}

/** Tasks of which nothing is proven, and what could have been seen there. */
function unchanged(changes: readonly Change[], names: readonly string[]): string[] {
  const isSame = ({ verdict }: Change): boolean => verdict === "same";
  const other = changes.filter((change) => ["faster", "slower"].includes(change.verdict));
  const tasks = new Set(names).size;
  if (tasks === 0) return [];
  const seen = changes.filter(isSame).map(({ detectable }) => detectable)
    .filter((one) => one !== null);
  const [least, most] = [Math.min(...seen), Math.max(...seen)].map(share);
  const could = seen.length === 0
    ? "no change could have been found"
    : `a change of ${least === most ? least : `${least} to ${most}`} would have been found`;
  const what = other.length === 0
    ? `No detectable change in ${count(tasks, "scenario")}`
    : `No other detectable change`;
  return [`${what}; ${could}.`];
}

function brief({ ratio, metric }: Change): string {
  return `${percent(ratio ?? NaN)} ${FIGURES[metric].heading}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
