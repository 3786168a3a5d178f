import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { cpuModelOf, IN_PROC } from "./facts.ts";

// The texts are from Linux 6.18, shortened to a few lines each.
const STATUS = `Name:	cat
Cpus_allowed:	3
Cpus_allowed_list:	0-1
Mems_allowed_list:	0
`;
const LIMITS = `Limit                     Soft Limit           Hard Limit           Units     
Max processes             96365                96365                processes 
Max open files            1024                 20000                files     
Max locked memory         8388608              8388608              bytes     
`;
const CPUINFO = `processor	: 0
vendor_id	: AuthenticAMD
cpu family	: 25
model		: 17
model name	: AMD EPYC 7 0
stepping	: 1
microcode	: 0x1000065
flags		: fpu vme movbe popcnt aes xsave avx f16c rdrand hypervisor lahf_lm cmp_legacy
bugs		: sysret_ss_attrs null_seg spectre_v1

processor	: 1
`;
const STAT = `cpu  376087 3 309814 1379204 2084 0 147212 339 0 0
cpu0 183693 0 155027 694607 207 0 72954 162 0 0
cpu1 192394 3 154787 684596 1876 0 74258 176 0 0
`;
const PRESSURE = `some avg10=0.49 avg60=3.44 avg300=4.16 total=827552816
full avg10=0.00 avg60=0.00 avg300=0.00 total=0
`;
const SOCKSTAT = `sockets: used 11
TCP: inuse 1 orphan 0 tw 37 alloc 1 mem 67
UDP: inuse 0 mem 0
`;

Deno.test("the files of /proc are read", () => {
  deepStrictEqual(IN_PROC.allowedCpus.parse(STATUS), [0, 1]);
  strictEqual(IN_PROC.openFiles.parse(LIMITS), 1024);
  strictEqual(IN_PROC.openFiles.parse(LIMITS.replace("1024     ", "unlimited")), "unlimited");
  strictEqual(IN_PROC.virtual.parse(CPUINFO), true);
  strictEqual(IN_PROC.virtual.parse(CPUINFO.replace(" hypervisor", "")), false);
  strictEqual(IN_PROC.cpuSignature.parse(CPUINFO), "family 25, model 17, stepping 1");
  strictEqual(IN_PROC.cpuPressure.parse(PRESSURE), 0.0049);
  strictEqual(IN_PROC.timeWait.parse(SOCKSTAT), 37);
  deepStrictEqual(IN_PROC.portRange.parse("32768\t60999\n"), { first: 32_768, last: 60_999 });
  strictEqual(IN_PROC.somaxconn.parse("4096\n"), 4096);
});

Deno.test("the name of a processor has its signature in a virtual machine only", () => {
  const cpuSignature = "family 25, model 1, stepping 1";
  const of = (virtual: boolean | null, signature: string | null): string =>
    cpuModelOf("AMD EPYC", { virtual, cpuSignature: signature });
  strictEqual(of(true, cpuSignature), `AMD EPYC (${cpuSignature})`);
  strictEqual(of(false, cpuSignature), "AMD EPYC");
  strictEqual(of(null, null), "AMD EPYC");
  strictEqual(of(true, null), "AMD EPYC");
});

Deno.test("the share that was stolen is one of all time, guests counted once", () => {
  const share = IN_PROC.stealShare.parse(STAT) ?? NaN;
  ok(Math.abs(share - 339 / 2_214_743) < 1e-12, `${share}`);
  strictEqual(IN_PROC.stealShare.parse("cpu  50 0 0 40 0 0 0 10 50 0\n"), 0.1);
});

Deno.test("what does not stand there is not known", () => {
  for (const [name, { parse }] of Object.entries(IN_PROC)) {
    for (const text of ["", "\n", "Features\t: fp asimd\n", "cpu  1 2 3 4\n", "TCP: inuse 1\n"]) {
      strictEqual(parse(text), null, `${name} of ${text}`);
    }
  }
});
