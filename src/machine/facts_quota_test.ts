import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { findCpuGroups, parseLimit, parseThrottled, tightest } from "./facts.ts";

Deno.test("of several quotas the smallest applies, and the own one where they are alike", () => {
  const own = { cores: "unlimited", throttledS: 1 } as const;
  const above = { cores: 2, throttledS: 3 };
  const top = { cores: 4, throttledS: 5 };
  deepStrictEqual(tightest([own, above, top]), above);
  deepStrictEqual(tightest([own, { ...own, throttledS: null }]), own);
  deepStrictEqual(tightest([top, { ...top, throttledS: 0 }]), top);
  strictEqual(tightest([]), null);
});

const V2_MOUNT =
  "35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot";

Deno.test("findCpuGroups of version 2 goes from the own group up to the root", () => {
  deepStrictEqual(findCpuGroups("0::/user.slice/session-1.scope\n", V2_MOUNT), {
    version: 2,
    folders: [
      "/sys/fs/cgroup/user.slice/session-1.scope",
      "/sys/fs/cgroup/user.slice",
      "/sys/fs/cgroup",
    ],
  });
});

Deno.test("findCpuGroups of version 2 sees a container's group as the root", () => {
  const groups = { version: 2, folders: ["/sys/fs/cgroup"] };
  deepStrictEqual(findCpuGroups("0::/\n", V2_MOUNT), groups);
  deepStrictEqual(findCpuGroups("0::/../../system.slice/a.service\n", V2_MOUNT), groups);
});

Deno.test("findCpuGroups takes the version 1 that has the controller, though 2 is there too", () => {
  const groups = "9:name=systemd:/\n3:cpuset:/a\n2:cpuacct:/b\n1:cpu:/c\n0::/d\n";
  const mountinfo = `27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
33 31 0:32 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`;
  deepStrictEqual(findCpuGroups(groups, mountinfo), {
    version: 1,
    folders: ["/sys/fs/cgroup/cpu/c", "/sys/fs/cgroup/cpu"],
  });
});

Deno.test("findCpuGroups of version 1 takes off what the container's mount stands for", () => {
  const mountinfo =
    "33 31 0:29 /docker/ab /sys/fs/cgroup/cpu,cpuacct ro master:15 - cgroup cgroup " +
    "rw,cpu,cpuacct";
  const root = "/sys/fs/cgroup/cpu,cpuacct";
  const folders = (path: string): readonly string[] | undefined =>
    findCpuGroups(`4:cpu,cpuacct:${path}\n`, mountinfo)?.folders;
  deepStrictEqual(folders("/docker/ab"), [root]);
  deepStrictEqual(folders("/docker/ab/c"), [`${root}/c`, root]);
  deepStrictEqual(folders("/docker/abc"), [root]);
});

Deno.test("findCpuGroups finds none where none is mounted", () => {
  strictEqual(findCpuGroups("0::/\n", "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"), null);
  strictEqual(findCpuGroups("", V2_MOUNT), null);
  strictEqual(findCpuGroups("0::/\n", ""), null);
});

Deno.test("parseLimit reads both versions, in cores", () => {
  strictEqual(parseLimit("max 100000\n"), "unlimited");
  strictEqual(parseLimit("-1 100000"), "unlimited");
  strictEqual(parseLimit("150000 100000\n"), 1.5);
  for (const text of ["", "max", "100000 0", "0.5 1"]) strictEqual(parseLimit(text), null, text);
});

Deno.test("parseThrottled reads both versions, in seconds", () => {
  const v1 = "nr_periods 9\nnr_throttled 4\nthrottled_time 2500000000\nburst_time 0\n";
  const v2 = "usage_usec 7\nnr_periods 9\nnr_throttled 4\nthrottled_usec 2500000\n";
  strictEqual(parseThrottled(v1), 2.5);
  strictEqual(parseThrottled(v2), 2.5);
  strictEqual(parseThrottled("usage_usec 7\nuser_usec 5\n"), null);
});
