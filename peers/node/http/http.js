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

export function integer(query, name, { fallback, min, max }) {
  const value = Number(query.get(name) ?? fallback);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new HttpError(400, `${name} must be an integer from ${min} to ${max}`);
  }
  return value;
}

export async function readJson(request) {
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"])) {
    throw new HttpError(415, "The content type must be application/json");
  }
  const chunks = [];
  let size = 0;
  // A body that is too large is read to its end as well: to leave the loop closes the connection.
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) throw new HttpError(413, "The body is too large");
  try {
    return JSON.parse(Buffer.concat(chunks));
  } catch {
    throw new HttpError(400, "The body is no JSON");
  }
}
