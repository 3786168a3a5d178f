import { HttpError } from "../problem.ts";
import type { RouteHandler } from "../router.ts";

/** Matches the path of a file directly in `/static/`. Does not match a folder or a hidden file. */
const NAME = /^\/static\/([\w-]+(?:\.[\w-]+)*)$/;
/** Content codings with the suffix of their files; the one with the smallest files is first. */
const CODINGS = [["br", ".br"], ["gzip", ".gz"]] as const;
const TYPES: Readonly<Record<string, string>> = { txt: "text/plain;charset=utf-8" };

/** Returns the handler of `GET /static/…`: it reads a file of the folder from disk. */
export function staticFile(folder: URL): RouteHandler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const [, name] = NAME.exec(pathname) ?? [];
    const type = TYPES[name?.split(".").at(-1) ?? ""];
    if (name === undefined || type === undefined) throw nothing(pathname);
    const wanted = request.headers.get("accept-encoding") ?? "";
    for (const [coding, end] of [...CODINGS, [null, ""] as const]) {
      if (coding !== null && !accepts(wanted, coding)) continue;
      const file = new URL(name + end, folder);
      const stat = await Deno.stat(file).catch(() => null);
      if (stat === null || !stat.isFile) continue;
      const etag = `"${stat.size.toString(36)}-${(stat.mtime?.getTime() ?? 0).toString(36)}${end}"`;
      const headers = { etag, vary: "accept-encoding", "content-type": type };
      if (isKnown(request, etag)) return new Response(null, { status: 304, headers });
      const coded = coding === null ? headers : { ...headers, "content-encoding": coding };
      return new Response(await Deno.readFile(file), { headers: coded });
    }
    throw nothing(pathname);
  };
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 */
function accepts(wanted: string, coding: string): boolean {
  return wanted.split(",").some((one) => {
    const [name = "", weight = ""] = one.split(";");
    return name.trim().toLowerCase() === coding && !/^\s*q\s*=\s*0(\.0*)?\s*$/i.test(weight);
  });
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
function isKnown({ headers }: Request, etag: string): boolean {
  const known = headers.get("if-none-match");
  return known !== null &&
    known.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}

function nothing(path: string): HttpError {
  return new HttpError(404, `There is nothing at ${path}`);
}
