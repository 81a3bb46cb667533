import type { ServerResponse } from "node:http";
import { getDefaultHighWaterMark } from "node:stream";

/**
 * Sends the body of an answer and ends it. A large one leaves in parts, each when the one before has left: as soon as a part fills what
 * Node buffers for a connection, Node would stop reading from it and then take what a client that continues sending has sent meanwhile for
 * an error of that client (HPE_PAUSED).
 */
export const endWith = (response: ServerResponse, body: string | Buffer): void => {
  const room = response.socket?.writableHighWaterMark ?? getDefaultHighWaterMark(false);
  // The other half is for the head.
  const part = room / 2;
  if (Buffer.byteLength(body) <= part) {
    // Text leaves in one piece with the head; bytes would be a second one.
    response.end(body);
    return;
  }
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const sendFrom = (start: number): void => {
    const end = start + part;
    if (end >= bytes.length) {
      response.end(bytes.subarray(start));
    } else if (!response.destroyed) {
      response.write(bytes.subarray(start, end), () => sendFrom(end));
    }
  };
  sendFrom(0);
};
