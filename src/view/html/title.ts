import type { Report } from "../../model/report.ts";

/** What a report is about, in a few words. */
export function titleOf(report: Report): string {
  const { cells, blocks, changes, experiment: { kind, arms } } = report;
  const measured = [...cells, ...blocks.map(({ block }) => block)];
  const scenarios = [...new Set(measured.map(({ scenario }) => scenario))];
  const at = scenarios.length === 1 ? scenarios[0] : `${scenarios.length} scenarios`;
  if (kind === "versus" && changes !== null) {
    return `${arms.map(({ label }) => label).join(" and ")} at ${at}`;
  }
  const servers = arms.map(({ id }) => id).filter((id) =>
    cells.some(({ arm }) => arm === id) || blocks.some(({ block }) => block.arms.includes(id))
  );
  return `${servers.length === 1 ? servers[0] : `${servers.length} HTTP servers`} at ${at}`;
}

/** When, where and of what. */
export function facts({ createdAt, commit, host, versions }: Report): string {
  return [
    createdAt.slice(0, 16).replace("T", " ") + " UTC",
    `${host.cores} x ${host.cpuModel}`,
    `Deno ${versions.deno}`,
    ...(commit ? [`commit ${commit.id.slice(0, 12)}${commit.isDirty ? " with changes" : ""}`] : []),
  ].join(" · ");
}
