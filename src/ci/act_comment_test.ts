import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { Api } from "./api.ts";
import { comment, GitHub, recorded, testWorld, VIEWER } from "./ci_testdata.ts";
import { putComment } from "./act.ts";

const MARKER = "<!-- stampede: api -->";
const BODY = `### Slower: text.\n\n${MARKER}`;
const COMMENTS = "/repos/owner/shop/issues/7/comments";
const PAGE = `${COMMENTS}?per_page=100`;

function put(github: GitHub): ReturnType<typeof putComment> {
  const api = new Api(testWorld({ GITHUB_API_URL: github.url }), "secret");
  return putComment(api, 7, BODY, MARKER);
}

Deno.test("a first comment is created", async () => {
  await using github = new GitHub(recorded({
    "POST /graphql": VIEWER,
    [`GET ${PAGE}`]: [comment(1, "hello", "octocat")],
    [`POST ${COMMENTS}`]: comment(2, BODY),
  }));
  strictEqual(await put(github), "created");
  deepStrictEqual(github.asked, ["POST /graphql", `GET ${PAGE}`, `POST ${COMMENTS}`]);
  const { headers, body } = github.calls[2] ?? {};
  strictEqual(headers?.get("authorization"), "Bearer secret");
  strictEqual(headers?.get("accept"), "application/vnd.github+json");
  strictEqual(headers?.get("x-github-api-version"), "2022-11-28");
  strictEqual(headers?.get("content-type"), "application/json");
  deepStrictEqual(JSON.parse(body ?? ""), { body: BODY });
});

Deno.test("the comment is found on the second page and updated there, with the line ends of GitHub", async () => {
  const second = `/repositories/1/issues/7/comments?per_page=100&page=2`;
  await using github = new GitHub((call, url) => {
    if (call.path === PAGE) {
      const others = Array.from({ length: 100 }, (_, index) => comment(index, "other", "octocat"));
      const link = `<${url}${second}>; rel="next", <${url}${second}>; rel="last"`;
      return Response.json(others, { headers: { link } });
    }
    return recorded({
      "POST /graphql": VIEWER,
      [`GET ${second}`]: [comment(200, `### Old\r\n\r\n${MARKER}\r\n`)],
      "PATCH /repos/owner/shop/issues/comments/200": comment(200, BODY),
    })(call);
  });
  strictEqual(await put(github), "updated");
  deepStrictEqual(github.asked.slice(-2), [
    `GET ${second}`,
    "PATCH /repos/owner/shop/issues/comments/200",
  ]);
  deepStrictEqual(JSON.parse(github.calls.at(-1)?.body ?? ""), { body: BODY });
});

Deno.test("a comment that says the same already is left alone", async () => {
  await using github = new GitHub(recorded({
    "POST /graphql": VIEWER,
    [`GET ${PAGE}`]: [comment(1, BODY.replaceAll("\n", "\r\n"))],
  }));
  strictEqual(await put(github), "unchanged");
  strictEqual(github.calls.length, 2);
});

Deno.test("nobody else's comment is touched: another's, another bot's, a quotation, another id", async () => {
  await using github = new GitHub(recorded({
    "POST /graphql": VIEWER,
    [`GET ${PAGE}`]: [
      comment(1, BODY, "octocat"),
      comment(2, BODY, "other[bot]"),
      comment(3, `> ${MARKER}\n\nwhat is that?`),
      comment(8, `### A guide\n\n${MARKER}\n\nis the marker`),
      comment(4, `### Slower\n\n<!-- stampede: api2 -->`),
      { id: 5, body: BODY, user: null },
      "nonsense",
    ],
    [`POST ${COMMENTS}`]: comment(6, BODY),
  }));
  strictEqual(await put(github), "created");
});

Deno.test("without knowing whose the token is, nothing is written", async () => {
  await using github = new GitHub(recorded({ "POST /graphql": { data: null, errors: [{}] } }));
  await rejects(put(github), /^Failure: Cannot find the token's owner: GitHub names none/);
  deepStrictEqual(github.asked, ["POST /graphql"]);
  match(github.calls[0]?.body ?? "", /viewer \{ login \}/);
});
