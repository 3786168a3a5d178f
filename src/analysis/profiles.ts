/** Merges CPU profiles into the stacks of a flame graph, and derives figures from these. */
import type {
  CpuProfile,
  CpuProfileNode,
  FoldedStacks,
  Frame,
  Profile,
  SelfTimes,
} from "../model/profile.ts";
import { sum } from "../stats/median.ts";

/** V8's names for samples outside of JavaScript calls. */
const OUTSIDE = ["(idle)", "(program)", "(root)"];
/** Minimum share of samples for a frame of a flame graph. Narrower frames are hardly visible. */
const LEAST_SHARE = 0.005;
/** Maximum number of frames of a flame graph. The frames with the fewest samples are left out. */
const MOST_FRAMES = 150;
/** Number of a path's last segments that are shown. Two distinguish files and hide folders. */
const SEGMENTS = 2;

/** A function as one caller called it, with the samples of all threads. */
interface StackCall extends Pick<Frame, "name" | "place" | "kind"> {
  self: number;
  total: number;
  readonly callees: Map<string, StackCall>;
}

/** Merges the profiles of threads, and equal calls in them; null without samples. */
export function foldStacks(threads: readonly CpuProfile[]): FoldedStacks | null {
  const root = callOf("", "", -1);
  for (const { nodes, samples = [] } of threads) {
    const [first] = nodes;
    if (first === undefined) continue;
    const counts = new Map<number, number>();
    for (const id of samples) counts.set(id, (counts.get(id) ?? 0) + 1);
    addCalls(root, first, counts, new Map(nodes.map((node) => [node.id, node])));
  }
  if (root.total === 0) return null;
  const inside = [...root.callees.values()].filter(({ name, place }) =>
    place !== null || !OUTSIDE.includes(name)
  );
  const inCalls = sum(inside.map(({ total }) => total));
  const totals = inside.flatMap(totalsOf).sort((a, b) => b - a);
  const least = Math.max(1, LEAST_SHARE * inCalls, totals[MOST_FRAMES - 1] ?? 0);
  const lengths = threads.map(({ startTime, endTime }) => endTime - startTime);
  return {
    durationS: Math.max(...lengths) / 1e6,
    samples: root.total,
    inCalls,
    frames: framesOf(inside, 0, least),
  };
}

/** Adds the samples of a function and its callees in one thread to a call, and returns their number. */
function addCalls(
  to: StackCall,
  { id, children = [] }: CpuProfileNode,
  counts: ReadonlyMap<number, number>,
  nodes: ReadonlyMap<number, CpuProfileNode>,
): number {
  const self = counts.get(id) ?? 0;
  let total = self;
  for (const child of children) {
    const node = nodes.get(child);
    if (node === undefined) continue;
    const { functionName, url, lineNumber, columnNumber } = node.callFrame;
    const key = `${functionName} ${url} ${lineNumber} ${columnNumber}`;
    const callee = to.callees.get(key) ?? callOf(functionName, url, lineNumber);
    to.callees.set(key, callee);
    total += addCalls(callee, node, counts, nodes);
  }
  to.self += self;
  to.total += total;
  return total;
}

/** Returns a call without samples. Its place is the path in its package, or the end of the path. */
function callOf(name: string, url: string, lineNumber: number): StackCall {
  const line = lineNumber < 0 ? "" : `:${lineNumber + 1}`;
  const call = { name, self: 0, total: 0, callees: new Map<string, StackCall>() };
  if (url === "") return { ...call, kind: "native", place: null };
  const isFile = /^(file:|https?:|[a-z]:[\\/]|[\\/])/i.test(url);
  if (!isFile) return { ...call, kind: "runtime", place: url + line };
  const inPackage = url.match(/.*[\\/](?:node_modules|npm[\\/][^\\/]+)[\\/](.+)$/)?.[1];
  const path = inPackage ?? url.split(/[\\/]/).slice(-SEGMENTS).join("/");
  const isPackage = inPackage !== undefined || url.startsWith("http");
  return { ...call, kind: isPackage ? "package" : "own", place: path.replaceAll("\\", "/") + line };
}

/**
 * Counts the samples of each function, without those of its callees. It counts functions by name and
 * file, and all functions of a file without a name as one.
 */
export function selfSamplesOf(
  threads: readonly CpuProfile[],
): Pick<SelfTimes, "samples" | "functions"> {
  const functions = new Map<string, SelfTimes["functions"][number]>();
  for (const { nodes, samples = [] } of threads) {
    const counts = new Map<number, number>();
    for (const id of samples) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const { id, callFrame: { functionName, url, lineNumber } } of nodes) {
      const own = counts.get(id) ?? 0;
      if (own === 0 || (url === "" && OUTSIDE.includes(functionName))) continue;
      const { name, place, kind } = callOf(functionName, url, lineNumber);
      const key = JSON.stringify([name, fileOf(place)]);
      const before = functions.get(key);
      const samples = own + (before?.samples ?? 0);
      functions.set(key, { name, place, kind, ...before, samples });
    }
  }
  const all = threads.map(({ samples = [] }) => samples.length);
  return { samples: sum(all), functions: [...functions.values()] };
}

/** Returns the last part of a place, without its line: `plain.ts`; empty without a place. */
export function fileNameOf(place: string | null): string {
  return fileOf(place).split("/").at(-1) ?? "";
}

/** Returns a place without its line: `routes/plain.ts` of `routes/plain.ts:12`. */
export function fileOf(place: string | null): string {
  return place?.replace(/:\d+$/, "") ?? "";
}

function totalsOf({ total, callees }: StackCall): number[] {
  return [total, ...[...callees.values()].flatMap(totalsOf)];
}

/** Returns the frames of calls with at least `least` samples: callers first, then the most samples. */
function framesOf(calls: readonly StackCall[], depth: number, least: number): Frame[] {
  return calls.filter(({ total }) => total >= least).toSorted((a, b) => b.total - a.total)
    .flatMap(({ name, place, kind, self, total, callees }) => [
      { depth, name, place, kind, self, total },
      ...framesOf([...callees.values()], depth + 1, least),
    ]);
}

/** A function with the samples of all its callers. In its total, a recursive call counts once. */
type HotFunction = Omit<Frame, "depth">;

/** Returns the functions that the flame graph shows, those with the most samples first. */
export function hotFunctions({ foldedStacks }: Profile): HotFunction[] {
  const all = new Map<string, HotFunction>();
  const callers: string[] = [];
  for (const { depth, name, place, kind, self, total } of foldedStacks?.frames ?? []) {
    const key = `${name} ${place}`;
    callers.splice(depth, Infinity, key);
    const isInside = callers.indexOf(key) < depth;
    const before = all.get(key) ?? { name, place, kind, self: 0, total: 0 };
    const more = isInside ? 0 : total;
    all.set(key, { ...before, self: before.self + self, total: before.total + more });
  }
  return [...all.values()].sort((a, b) => b.self - a.self);
}

/**
 * Returns the shares of time that were spent in JavaScript calls, 0 to 1; null without a profile.
 * `ofTime` is the share of sampling's duration, `ofRunning` that of the thread's CPU time. The latter is
 * null for several threads, if CPU time is unknown, or if calls took longer, because they wait.
 */
export function inCallsOf(
  { foldedStacks, threads, busiestThread }: Profile,
): { readonly ofTime: number; readonly ofRunning: number | null } | null {
  if (foldedStacks === null) return null;
  const ofTime = foldedStacks.inCalls / foldedStacks.samples;
  const isKnown = threads === 1 && busiestThread !== null && busiestThread > ofTime;
  return { ofTime, ofRunning: isKnown ? ofTime / busiestThread : null };
}

/** Returns the time per response of a number of samples, in microseconds; null without responses. */
export function usPerResponse(
  { foldedStacks, threads, responses }: Profile,
  samples: number,
): number | null {
  if (foldedStacks === null || responses === 0) return null;
  return 1e6 * foldedStacks.durationS * threads * samples / foldedStacks.samples / responses;
}
