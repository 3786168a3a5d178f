/** Servers that had not warmed up when their windows began. */
import type { Cell } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { cellKeyOf, isSameCell } from "./cell_key.ts";
import { estimate } from "./estimate.ts";
import { trend } from "./figures.ts";

/** A server that gets so much faster within a window had not warmed up. */
const TREND = 0.1;

/** Whether the rounds prove that a server had not warmed up, and not just that the machine was restless. */
export function isWarming({ results }: Report, cell: Cell): boolean {
  if (cell.trend === null) return false;
  const trends = results.flatMap(({ trial, window }) => {
    const isOwn = trial.purpose === "measure" && isSameCell(cellKeyOf(trial), cell);
    const value = isOwn && window !== null ? trend(window) : null;
    return value === null ? [] : [{ round: trial.round, value }];
  });
  return trends.length > 0 && (estimate(trends).interval?.low ?? 0) > TREND;
}
