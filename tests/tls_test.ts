import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { findGenerator } from "../src/load/generator_list.ts";
import type { Report } from "../src/model/report.ts";
import { connect } from "../src/process/connect.ts";
import { httpClient, makeCertificate, useTls } from "../src/process/tls_client.ts";
import { Sandbox } from "./bench.ts";

const ONCE = ["--rounds", "1", "--max-rounds", "1", "-z", "0.5", "--warmup", "0.2"];
const H2LOAD = "version" in await findGenerator("h2load");

async function reportOf(sandbox: Sandbox): Promise<Report> {
  const [report] = await sandbox.reports() as unknown as Report[];
  if (report === undefined) throw new Error("no report");
  return report;
}

/** Starts a TLS server that responds with the HTTP version of the request. */
function serve({ cert, key }: { cert: string; key: string }): Deno.HttpServer<Deno.NetAddr> {
  const place = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  return Deno.serve({ ...place, cert, key }, ({ headers }) =>
    // HTTP/2 has no host header field
    new Response(headers.has("host") ? "1.1" : "2"));
}

Deno.test("the certificate of a run is trusted by it and by nobody else", async () => {
  const folder = await Deno.makeTempDir();
  try {
    using tls = await useTls("http/1.1", folder);
    strictEqual(((await Deno.stat(tls.keyPath)).mode ?? 0) & 0o077, 0, "the key is read by others");
    await using server = serve(tls);
    const address = { hostname: "127.0.0.1", port: server.addr.port, isTls: true };
    (await connect(address)).close();
    const other = await makeCertificate();
    await using impostor = serve(other);
    await rejects(connect({ ...address, port: impostor.addr.port }), /is not trusted/);
    tls[Symbol.dispose]();
    await rejects(connect(address), /is not trusted .*UnknownIssuer.*DENO_CERT/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("what checks ask is asked by the version of HTTP that is loaded", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const [alpn, version] of [["http/1.1", "1.1"], ["h2", "2"]] as const) {
      using tls = await useTls(alpn, folder);
      await using server = serve(tls);
      using client = httpClient();
      const response = await fetch(`https://127.0.0.1:${server.addr.port}/`, { client });
      strictEqual(await response.text(), version);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("stampede --tls measures a server over TLS, with its handshakes apart, and nothing stays", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout, stderr } = await sandbox.run(["text", "--tls", ...ONCE]);
  strictEqual(code, 0, stderr);
  match(stdout, /^TLS server +Handshake ms +± +CPU ms$/m);
  match(stdout, /^deno +[\d.,]+ +– +[\d.,]+$/m);
  match(stdout, /10 connections with TLS/);
  const report = await reportOf(sandbox);
  strictEqual(report.experiment.load.tls, "http/1.1");
  const [launch] = report.launches;
  ok((launch?.handshakes?.count ?? 0) > 1);
  const [result] = report.results;
  strictEqual(result?.status, "ok");
  const [trialResult] = report.trialResults;
  ok((trialResult?.window?.measurement.checkedBodies ?? 0) > 0);
  ok(trialResult?.window?.ceiling !== null, "the null server speaks TLS too");
  ok(report.blocks.some(({ slices }) => slices !== null), "slices are measured over TLS too");
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test({
  name: "stampede --http2 measures HTTP/2, and its checks are asked by it",
  ignore: !H2LOAD,
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    // h2load does not end if the handshakes of its new connections end after the window
    const { code, stdout, stderr } = await sandbox.run(["text", "--http2", ...ONCE, "-z", "1.5"]);
    strictEqual(code, 0, stderr);
    match(stdout, /10 connections with HTTP\/2 over TLS, h2load/);
    const report = await reportOf(sandbox);
    deepStrictEqual(report.results.map(({ status }) => status), ["ok"]);
    strictEqual(report.experiment.load.tls, "h2");
    deepStrictEqual(await sandbox.leftovers(), []);
  },
});

Deno.test("a URL of https is measured where its certificate is trusted, and no other", async () => {
  const folder = await Deno.makeTempDir();
  try {
    using tls = await useTls("http/1.1", folder);
    await using server = serve(tls);
    const url = `https://localhost:${server.addr.port}/`;
    await using sandbox = await Sandbox.create();
    const refused = await sandbox.run([url, ...ONCE]);
    strictEqual(refused.code, 1, refused.stdout);
    match(refused.stdout, /failed: The certificate of localhost:\d+\s+is not trusted/);
    const { code, stderr } = await sandbox.run([url, ...ONCE], { DENO_CERT: tls.certPath });
    strictEqual(code, 0, stderr);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("what cannot be asked over TLS is refused in a line, with what to do", async () => {
  await using sandbox = await Sandbox.create();
  const cases: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [
      ["text", "--tls", "--servers", "rust-tokio"],
      /^Cannot measure rust-tokio over TLS: the "tls" of/,
    ],
    [["text", "--http2", "--servers", "node-http"], /manifest has only http\/1\.1/],
    [["plaintext", "--http2"], /^Cannot measure plaintext over HTTP\/2: it needs HTTP\/1\.1$/],
    [["text", "--http2", "--rate", "100"], /^Cannot send at a --rate over HTTP\/2/],
    [["text", "--http2", "--generator", "autocannon"], /^autocannon does not speak HTTP\/2/],
    [["http://127.0.0.1:1/", "--tls"], /^Cannot speak TLS to http:\/\/127\.0\.0\.1:1: give its/],
    [["verify", "text", "--tls", "--servers", "rust-tokio"], /^Cannot measure rust-tokio over TLS/],
    [["verify", "websocket", "--http2"], /^Cannot measure websocket over HTTP\/2/],
  ];
  for (const [args, says] of cases) {
    const { code, stderr } = await sandbox.tell(args);
    strictEqual(code, 2, args.join(" "));
    match(stderr.trim(), says);
  }
});
