/**
 * Whether Stampede's own server stays as it is: `deno task soak [seconds]` keeps all of its routes busy,
 * with clients that leave and abuses of the wire beside them, and looks at its memory and its open files.
 * Five minutes unless it is told otherwise; docs/reliability.md has its last output.
 */
import { SCENARIOS } from "../scenarios/mod.ts";
import { ONE_BY_ONE } from "../src/load/driver/client.ts";
import { ClosedLoop } from "../src/load/driver/closed_loop.ts";
import { median } from "../src/stats/median.ts";
import { ABUSES } from "./abuses.ts";
import { bytesOf, connectTo, held, leave, readAll, write } from "./rude_client.ts";
import { withServer } from "./stage.ts";

const SECONDS = Number(Deno.args[0] ?? 300);
if (!(SECONDS >= 10)) throw new Error("Give at least 10 seconds: deno task soak 300");
const SAMPLE_S = 1;
const TOLD_EVERY_S = 30;
const LEAVING = 10_000;
/** How much of its memory of the second fifth it may add until the last one, beside SPARE_MIB. */
const GROWTH = 0.1;
const SPARE_MIB = 30;
const SPARE_FILES = 50;
/** How long abuses are waited for. */
const SILENCE_MS = 300;

function say(text: string): void {
  // deno-lint-ignore no-console -- this script has nobody else to say it
  console.log(text);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

let isFine = true;
await withServer(async ({ server: { origin, pid } }) => {
  const loads = SCENARIOS.filter(({ isDefault }) => isDefault).map(({ id, request }) => {
    const count = { id, answers: 0, refused: 0, failed: 0 };
    const options = {
      origin,
      request,
      connections: 3,
      timeoutS: 30,
      expected: null,
      ...ONE_BY_ONE,
    };
    const loop = new ClosedLoop(options, {
      answered: ({ status }) => status < 300 ? count.answers++ : count.refused++,
      failed: () => count.failed++,
      reconnected: () => {},
    });
    loop.start();
    return { loop, count };
  });
  const endsMs = performance.now() + 1000 * SECONDS;
  const isOn = (): boolean => performance.now() < endsMs;
  let [left, abused] = [0, 0];
  const leaving = (async () => {
    const paths = ["/primes?limit=1000", "/delay", "/sql2"];
    for (let i = 0; isOn() && left < paths.length * LEAVING; i++) {
      await leave(origin, paths[i % paths.length] ?? "/", 100);
      left += 100;
      await pause(1000 * SECONDS / (paths.length * LEAVING / 100) / 2);
    }
  })();
  const abusing = (async () => {
    while (isOn()) {
      for (const { sends } of ABUSES) {
        using connection = await connectTo(origin);
        await write(connection, bytesOf(sends)).catch(() => {});
        await readAll(connection, SILENCE_MS);
        abused++;
        if (!isOn()) break;
      }
    }
  })();
  const samples: { mib: number; files: number }[] = [];
  const sampling = (async () => {
    for (let s = 1; isOn(); s++) {
      await pause(1000 * SAMPLE_S);
      const { bytes, files } = await held(pid);
      samples.push({ mib: bytes / 2 ** 20, files });
      if (s % TOLD_EVERY_S === 0) {
        say(`${s} s: ${Math.round(bytes / 2 ** 20)} MiB, ${files} open files`);
      }
    }
  })();
  try {
    await Promise.all([leaving, abusing, sampling]);
  } finally {
    for (const { loop } of loads) loop[Symbol.dispose]();
  }
  for (const { count: { id, answers, refused, failed } } of loads) {
    say(`${id}: ${answers} answers, ${refused} refused, ${failed} failed`);
    isFine &&= answers > 0 && refused + failed === 0;
  }
  say(`${left} clients left, ${abused} abuses`);
  const fifth = Math.floor(samples.length / 5);
  const early = samples.slice(fifth, 2 * fifth).map(({ mib }) => mib);
  const late = samples.slice(-fifth).map(({ mib }) => mib);
  const growth = median(late) - median(early);
  say(
    `memory, medians of the second and of the last fifth: ${Math.round(median(early))} and ${
      Math.round(median(late))
    } MiB`,
  );
  isFine &&= growth <= GROWTH * median(early) + SPARE_MIB;
  await pause(3000);
  const { bytes, files } = await held(pid);
  say(`afterwards: ${Math.round(bytes / 2 ** 20)} MiB, ${files} open files`);
  isFine &&= files <= SPARE_FILES;
  isFine &&= await (await fetch(origin)).text() === "Hello world";
}, { database: "embedded" });
say(isFine ? "ok" : "FAILED");
Deno.exit(isFine ? 0 : 1);
