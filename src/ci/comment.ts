/** Creates and updates the comment on a pull request; there is one for each id. */
import { Failure } from "../model/errors.ts";
import type { Api } from "./api.ts";
import { at } from "./event.ts";

/** What {@linkcode putComment} did with the comment. */
export type CommentOutcome = "created" | "updated" | "unchanged";

const NEEDS = "pull-requests: write";

/** Returns the hidden line that identifies the comment. */
export function markerOf(id: string): string {
  return `<!-- stampede: ${id} -->`;
}

/**
 * Creates or updates the comment. It only updates comments of the token's own user with the marker as their
 * last line. Apps may edit all comments, and anyone can quote a marker.
 *
 * @param body text of the comment, with the marker as its last line
 * @throws {Failure} if GitHub refuses it.
 */
export async function putComment(
  api: Api,
  number: number,
  body: string,
  marker: string,
): Promise<CommentOutcome> {
  const author = await authorOf(api);
  const issue = `/repos/${api.repository}/issues`;
  for await (
    const comment of api.pages({
      what: "read the comments of the pull request",
      needs: NEEDS,
      path: `${issue}/${number}/comments?per_page=100`,
    })
  ) {
    const [id, text] = [at(comment, "id"), at(comment, "body")];
    if (typeof id !== "number" || typeof text !== "string") continue;
    if (at(comment, "user.login") !== author || !isMarked(text, marker)) continue;
    if (sameText(text, body)) return "unchanged";
    await api.json({
      what: "update the comment on the pull request",
      needs: NEEDS,
      method: "PATCH",
      path: `${issue}/comments/${id}`,
      body: { body },
    });
    return "updated";
  }
  await api.json({
    what: "comment on the pull request",
    needs: NEEDS,
    method: "POST",
    path: `${issue}/${number}/comments`,
    body: { body },
  });
  return "created";
}

/**
 * Returns the login of the token's owner. A job's token belongs to an app, which REST's `/user` refuses.
 * GraphQL names apps (`github-actions[bot]`) and people.
 * https://docs.github.com/en/graphql/reference/queries#viewer
 */
async function authorOf(api: Api): Promise<string> {
  const response = await api.graphql({
    what: "find the token's owner",
    needs: NEEDS,
    query: "query { viewer { login } }",
  });
  const login = at(response, "data.viewer.login");
  if (typeof login === "string" && login !== "") return login;
  throw new Failure(
    "Cannot find the token's owner: GitHub names none; set the input token to a valid one",
  );
}

/**
 * Returns whether the last line of a comment is the marker. Accepts other line ends and trailing
 * space, because GitHub changes both.
 */
function isMarked(text: string, marker: string): boolean {
  return text.trimEnd().split(/\r?\n/).at(-1) === marker;
}

function sameText(one: string, other: string): boolean {
  return one.replaceAll("\r\n", "\n").trimEnd() === other.trimEnd();
}
