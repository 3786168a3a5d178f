import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { ProcessScope } from "../process/scope.ts";
import {
  contextSwitches,
  parseCalls,
  parseSegments,
  parseSends,
  traceCalls,
  whyNotAttached,
} from "./tracer.ts";

/** Output of strace 6.1. */
const TABLE = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 61.29    0.001235           6       200           sendto
 23.18    0.000467           2       203         1 epoll_wait
 15.53    0.000313           1       200           recvfrom
------ ----------- ----------- --------- --------- ----------------
100.00    0.002015           3       603         1 total
`;

Deno.test("the table of strace has calls by name, with and without errors", () => {
  deepStrictEqual(
    [...parseCalls(TABLE)],
    [["sendto", 200], ["epoll_wait", 203], ["recvfrom", 200]],
  );
  deepStrictEqual([...parseCalls("")], []);
});

/** Output of strace 6.1, shortened. */
const SENDS = `7  sendto(20<TCP:[127.0.0.1:8000->127.0.0.1:56488]>, ""..., 130, 0, NULL, 0) = 130
7  writev(21<TCPv6:[[::ffff:127.0.0.1]:8000->[::ffff:127.0.0.1]:5000]>, [...], 2) = 124
8  write(12<TCP:[127.0.0.1:56000->127.0.0.1:5432]>, ""..., 55 <unfinished ...>
7  write(5<anon_inode:[eventfd]>, ""..., 8) = 8
9  sendto(13<TCP:[127.0.0.1:8000->127.0.0.1:5001]>, ""..., 9, 0, NULL, 0) = -1 EAGAIN (Resource temporarily unavailable)
8  <... write resumed>)              = 55
9  sendfile(13<TCP:[127.0.0.1:8000->127.0.0.1:5001]>, 14</words.txt>, [0] => [9], 9) = 9
7  write(1<pipe:[4711]>, ""..., 6 <unfinished ...>
7  <... write resumed>)              = 6
7  +++ exited with 0 +++
`;

Deno.test("calls that sent bytes over TCP are found by port, also interrupted ones", () => {
  deepStrictEqual(parseSends(SENDS), [
    { localPort: "8000", remotePort: "56488", bytes: 130 },
    { localPort: "8000", remotePort: "5000", bytes: 124 },
    { localPort: "56000", remotePort: "5432", bytes: 55 },
    { localPort: "8000", remotePort: "5001", bytes: 9 },
  ]);
  deepStrictEqual(parseSends(""), []);
});

Deno.test("segments with data are added over all connections", () => {
  const text =
    `0 0 127.0.0.1:80 127.0.0.1:1\n\t cubic segs_out:9 segs_in:8 data_segs_out:5 data_segs_in:4
0 0 127.0.0.1:80 127.0.0.1:2\n\t cubic segs_out:2 data_segs_out:1 rcv_space:1`;
  deepStrictEqual(parseSegments(text), { in: 4, out: 6 });
});

const hasStrace = await new Deno.Command("sh", { args: ["-c", "command -v strace"] }).output()
  .then(({ success }) => success);

Deno.test({
  name: "the calls of a process are counted, and the process goes on",
  ignore: Deno.build.os !== "linux" || !hasStrace,
  fn: async () => {
    await using scope = new ProcessScope();
    const loop = "while read line; do echo $line > /dev/null; done";
    const child = scope.spawn({ argv: ["sh", "-c", loop] });
    const folder = await scope.makeFolder();
    const calls = await traceCalls(scope, folder, [child.pid], async () => {
      for (let i = 0; i < 5; i++) await child.writeLine("x");
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    strictEqual(calls.get("write"), 5);
    ok(contextSwitches([child.pid]) > 0);
    strictEqual(child.hasEnded, false);
    const gone = scope.spawn({ argv: ["true"] });
    await gone.ended;
    await rejects(traceCalls(scope, folder, [gone.pid], () => Promise.resolve()), {
      name: "Failure",
      message: /^strace ended: /,
    });
  },
});

Deno.test("a strace that may not attach is explained, and another end is quoted", () => {
  const refusal = "strace: attach: ptrace(PTRACE_SEIZE, 1): Operation not permitted\n";
  match(whyNotAttached(refusal), /^strace may not attach to the server: run as root/);
  strictEqual(whyNotAttached("a\nstrace: no"), "strace ended: strace: no");
});
