const MAX_BODY_BYTES = 65_536;

export class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function send(response, type, body, status = 200) {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

export function sendJson(response, value, status) {
  send(response, "application/json", JSON.stringify(value), status);
}

/** An integer in the query of a URL, a text. */
export function integer(query, name, { fallback, min, max }) {
  const value = Number(new URLSearchParams(query).get(name) ?? fallback);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new HttpError(400, `${name} must be an integer from ${min} to ${max}`);
  }
  return value;
}

export async function readJson(request) {
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"])) {
    throw new HttpError(415, "The content type must be application/json");
  }
  const body = await readBody(request);
  try {
    return JSON.parse(body);
  } catch {
    throw new HttpError(400, "The body is no JSON");
  }
}

/** A body that is too large is read to its end as well, so that the connection stays open. */
function readBody(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    request.on("data", (chunk) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on("end", () => {
      if (size <= MAX_BODY_BYTES) resolve(Buffer.concat(chunks));
      else reject(new HttpError(413, "The body is too large"));
    });
    request.on("error", reject);
  });
}
