import { ok, strictEqual } from "node:assert/strict";
import { InvalidArgumentError } from "commander";
import fc from "fast-check";
import { list, percent, seconds, whole } from "../../src/cli/options/option_spec.ts";
import { withEnvFile } from "../../src/cli/io.ts";
import { readUrls } from "../../src/experiment/url_target.ts";
import { UsageError } from "../../src/model/errors.ts";
import { hideQuery, hideSecrets, hideUrls } from "../../src/model/text.ts";
import { accepted, holds } from "./inputs.ts";

const RANGE = fc.tuple(fc.nat(1000), fc.nat(1_000_000)).map(([min, more]) => ({
  min,
  max: min + more,
}));
/** Typical and unusual texts of a command line. */
const TYPED = fc.oneof(
  fc.string(),
  fc.double().map(String),
  fc.integer().map(String),
  fc.nat().map((n) => `0x${n.toString(16)}`),
  fc.stringMatching(/^[0-9.,eE+ -]{0,12}[s%]?$/),
);

holds(
  "a whole number is read, or refused for not being in its range",
  fc.tuple(TYPED, RANGE),
  async ([text, { min, max }]) => {
    const value = await accepted(() => whole(min, max)(text), InvalidArgumentError);
    if (value === undefined) ok(!/^\d+$/.test(text) || Number(text) < min || Number(text) > max);
    else ok(Number.isSafeInteger(value) && BigInt(text) === BigInt(value) && value >= min);
  },
);

holds(
  "what is written as an option is read as that",
  fc.tuple(fc.nat(1_000_000), fc.nat(999)),
  ([n, thousandths]) => {
    strictEqual(whole(0, 1_000_000)(String(n)), n);
    const text = `${n % 600}.${String(thousandths).padStart(3, "0")}`;
    strictEqual(seconds(0, 600)(`${text}s`), Number(text));
    strictEqual(percent(0, 600)(`${text}%`), Number(text) / 100);
  },
);

holds(
  "seconds and percentages are in their range",
  fc.tuple(TYPED, RANGE),
  async ([text, range]) => {
    const { min, max } = range;
    const time = await accepted(() => seconds(min, max)(text), InvalidArgumentError);
    ok(time === undefined || (time >= min && time <= max));
    const share = await accepted(() => percent(min, max)(text), InvalidArgumentError);
    ok(share === undefined || (share >= min / 100 && share <= max / 100));
  },
);

holds("a list has each number once, in order", fc.array(TYPED), async (texts) => {
  const found = await accepted(() => list(whole(1, 1000))(texts.join(",")), InvalidArgumentError);
  for (const [i, value] of (found ?? []).entries()) ok(i === 0 || value > (found?.[i - 1] ?? NaN));
});

holds(
  "a .env sets none but Stampede's own variables, and none that the shell has set",
  fc.tuple(fc.string(), fc.string(), fc.constantFrom("PATH", "HOME", "LD_PRELOAD", "DATABASE_URL")),
  ([text, value, name]) => {
    const file = `${text}\n${name}=${value}\nPATH=${value}\nDENO_DIR=${value}`;
    const bare = withEnvFile(file, () => undefined);
    for (const foreign of ["PATH", "HOME", "LD_PRELOAD", "DENO_DIR", "__proto__", "toString"]) {
      strictEqual(bare(foreign), undefined);
    }
    strictEqual(withEnvFile(file, () => "shell")(name), "shell");
  },
);

const SAFE_VALUE = fc.stringMatching(/^[A-Za-z0-9:\/@._-]{1,30}$/);

holds("what is written in a .env is read from it", SAFE_VALUE, (value) => {
  strictEqual(withEnvFile(`DATABASE_URL="${value}"`, () => undefined)("DATABASE_URL"), value);
});

holds(
  "a URL is measured on this machine, or refused",
  fc.record({
    url: fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true }), fc.webAuthority()),
    scheme: fc.constantFrom("", "http://", "http://127.0.0.1/", "http://127.0.0.1@", "file://"),
    header: fc.array(fc.string(), { maxLength: 2 }),
  }),
  async ({ url, scheme, header }) => {
    const selection = await accepted(
      () => readUrls([scheme + url], { header }, [], (path) => path),
      UsageError,
    );
    for (const server of selection?.servers ?? []) {
      const { hostname } = new URL(server.attached?.origin ?? "");
      ok(/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname), hostname);
    }
  },
);

/** A secret that occurs nowhere else. */
const SECRET = fc.stringMatching(/^[A-Za-z0-9]{8,20}$/).map((text) => `s3cr3t${text}`);

holds(
  "what may be a secret is in no text that is kept",
  fc.record({
    secret: SECRET,
    name: fc.stringMatching(/^[a-z]{1,8}$/),
    path: fc.stringMatching(/^(\/[a-z]{0,5}){1,3}$/),
    noise: fc.string(),
  }),
  ({ secret, name, path, noise }) => {
    const paths = [
      `${path}?${name}=${secret}`,
      `${path}?${secret}`,
      `${path}?a=1&${name}=${secret}`,
    ];
    for (const hidden of paths.map(hideQuery)) ok(!hidden.includes(secret), hidden);
    const urls = [
      ...paths.map((path) => `http://127.0.0.1:80${path}`),
      `http://${name}:${secret}@127.0.0.1:80${path}`,
      `http://${secret}@127.0.0.1:80${path}`,
    ];
    for (const url of urls) {
      const told = hideUrls(`${noise} ${url} ${noise}`);
      ok(!told.includes(secret), told);
      const args = [
        [url],
        ["-H", `${name}: ${secret}`],
        [`-H${name}: ${secret}`],
        [`--header=${name}:${secret}`],
        ["-d", secret],
        [`-d${secret}`],
        [`--data=${secret}`],
        ["--data", `${noise}${secret}`.replace(/^@+/, "")],
      ].flatMap(hideSecrets);
      ok(!args.join(" ").includes(secret), args.join(" "));
    }
  },
);
