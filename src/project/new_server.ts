import { join, relative } from "node:path";
import { UsageError } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import { readFields } from "../target/catalog.ts";
import { readSources, type SourceFile } from "../target/sources.ts";

/** Matches a path outside of the folder, at the beginning of an argument or after `=` or `,`. */
const OUTSIDE = /(^|[=,])\.\.\//;
const MANIFEST = "server.json";
const SCHEMA = new URL("../../docs/server.schema.json", import.meta.url).pathname;

/**
 * Returns the files of a new server: a copy of another server's, with a new manifest.
 *
 * @param like the server that is copied
 * @param id id of the new server, which is also the name of its folder
 * @param folder the new folder
 * @throws {UsageError} if the other server's program is outside of its folder.
 */
export async function newServerFiles(
  like: Server,
  id: string,
  folder: string,
): Promise<SourceFile[]> {
  const manifest = await readFields(join(like.folder, MANIFEST));
  const words = [...like.start, ...like.prepare.flat(), ...Object.values(like.env)];
  if (words.some((word) => OUTSIDE.test(word))) {
    throw new UsageError(
      `Cannot copy ${like.id}: its program is part of Stampede, outside of its folder; choose another --like`,
    );
  }
  const { $schema: _schema, sources: _sources, basedOn: _basedOn, ...rest } = manifest;
  const own = { $schema: relative(folder, SCHEMA), ...rest, id, name: id };
  const files = await readSources(join(like.folder, like.sources));
  return [
    ...files.filter(({ path }) => path !== MANIFEST),
    {
      path: MANIFEST,
      bytes: new TextEncoder().encode(`${JSON.stringify(own, null, 2)}\n`),
      isExecutable: false,
    },
  ];
}
