import { problem } from "../problem.ts";
import type { Handler } from "../router.ts";

/** `GET /echo`: a WebSocket whose messages come back as they are. */
export const echo: Handler = (request) => {
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    return problem(426, "Here is a WebSocket", { headers: { upgrade: "websocket" } });
  }
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => socket.send(data);
  return response;
};
