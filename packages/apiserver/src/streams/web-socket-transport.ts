import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** A connection that a client asks to use for something else than HTTP. */
export interface Upgrade {
  readonly socket: Duplex;
  /** What the client has sent after its request. */
  readonly head: Buffer;
}

/**
 * Answers a WebSocket handshake with one of the client's protocols; resolves with the bytes of its binary messages, or with nothing when
 * the handshake itself was refused.
 */
export const webSocketTransport = async (
  request: IncomingMessage,
  { socket, head }: Upgrade,
  protocol: string,
): Promise<Duplex | undefined> => {
  // Most servers never need it.
  const { WebSocketServer, createWebSocketStream } = await import("ws");
  const server = new WebSocketServer({ noServer: true, clientTracking: false });
  // The library takes only tokens as protocols; those of Kubernetes have a slash.
  server.once("headers", (lines) => lines.push(`Sec-WebSocket-Protocol: ${protocol}`));
  const { "sec-websocket-protocol": _, ...headers } = request.headers;
  const handshake = Object.create(request, { headers: { value: headers } }) as IncomingMessage;
  return await new Promise((resolve) => {
    socket.once("close", () => resolve(undefined));
    server.handleUpgrade(handshake, socket, head, (webSocket) => resolve(createWebSocketStream(webSocket)));
  });
};
