import type { Duplex } from "node:stream";
import { finished } from "node:stream/promises";
import { SpdyConnection, type SpdyStream } from "@capstan/spdy";

/** The protocol that clients ask for, by upgrade to SPDY or, with a prefix, inside a WebSocket. */
export const portForwardProtocol = "portforward.k8s.io";

/** Opens a connection to a port; rejects with what the client is told. */
export type OpenPort = (port: number) => Promise<Duplex>;

const streamTypes = ["error", "data"];

const portOf = ({ headers }: SpdyStream): number =>
  /^\d{1,5}$/.test(headers["port"] ?? "") ? Number(headers["port"]) : 0;

const isAcceptable = (stream: SpdyStream): boolean => {
  const { streamtype = "", requestid = "" } = stream.headers;
  const port = portOf(stream);
  return port > 0 && port < 65_536 && streamTypes.includes(streamtype) && requestid !== "";
};

const forward = async (data: SpdyStream, error: SpdyStream, open: OpenPort, name: string): Promise<void> => {
  const port = portOf(data);
  // Clients have nothing to say there.
  error.resume();
  try {
    const target = await open(port);
    data.pipe(target).pipe(data);
    data.once("close", () => target.destroy());
    target.on("error", () => data.destroy());
    target.once("close", () => data.writableEnded || data.destroy());
    await finished(data).catch(() => undefined);
  } catch (failure) {
    error.write(`error forwarding port ${port} to pod ${name}: ${(failure as Error).message}`);
  }
  data.resume();
  data.end();
  error.end();
};

/**
 * Serves the ports of a Pod on a connection that SPDY is spoken on: each connection of the client is a pair of streams, one for its bytes
 * and one for what went wrong. Resolves when the connection is gone. `name` is the Pod's, for messages.
 */
export const forwardPorts = (transport: Duplex, open: OpenPort, name: string): SpdyConnection => {
  const waiting = new Map<string, SpdyStream>();
  const accept = (stream: SpdyStream): boolean => {
    if (!isAcceptable(stream)) {
      return false;
    }
    const { requestid = "", streamtype } = stream.headers;
    const other = waiting.get(requestid);
    if (other === undefined) {
      waiting.set(requestid, stream);
      stream.once("close", () => waiting.get(requestid) === stream && waiting.delete(requestid));
      return true;
    }
    if (other.headers["streamtype"] === streamtype) {
      return false;
    }
    waiting.delete(requestid);
    const [data, error] = streamtype === "data" ? [stream, other] : [other, stream];
    void forward(data, error, open, name);
    return true;
  };
  return new SpdyConnection(transport, { role: "server", accept });
};
