import { api } from "encore.dev/api";

export const text = api.raw(
  { expose: true, method: "GET", path: "/" },
  (_request, response) => {
    const body = "Hello world";
    response.writeHead(200, {
      "content-type": "text/plain; charset=utf-8",
      "content-length": body.length,
    });
    response.end(body);
  },
);

interface Hello {
  message: string;
}

export const hello = api(
  { expose: true, method: "GET", path: "/hello" },
  (): Hello => ({ message: "Hello, World" }),
);

interface Json {
  message: string;
  ts: Date;
}

export const json = api(
  { expose: true, method: "GET", path: "/json" },
  (): Json => ({ message: "Hello world", ts: new Date() }),
);
