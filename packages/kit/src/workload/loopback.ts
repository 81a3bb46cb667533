import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Longest silence on a connection. */
const timeoutMs = 30_000;

/** Ends both when one of them ends. */
const join = (stream: Duplex, socket: Socket): void => {
  stream.on("error", () => socket.destroy()).once("close", () => socket.destroy());
  socket.on("error", () => stream.destroy()).once("close", () => stream.destroy());
  socket.pipe(stream).pipe(socket);
};

/**
 * A socket whose other end is the stream, by way of this host's loopback: Node's TLS fails an assertion now and then on streams that are
 * no sockets. No one else can take the place of the other end. `failed` makes the error for what goes wrong.
 */
export const socketTo = async (stream: Duplex, failed: (why: string) => Error): Promise<Socket> => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const accepted = once(server, "connection");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, timeout: timeoutMs });
  socket.once("timeout", () => socket.destroy(failed("no answer in time")));
  try {
    const [[other]] = (await Promise.all([accepted, once(socket, "connect")])) as [[Socket], unknown];
    if (other.remotePort !== socket.localPort) {
      other.destroy();
      throw failed("another process of this host has connected instead");
    }
    join(stream, other);
    return socket;
  } catch (error) {
    socket.destroy();
    stream.destroy();
    throw error;
  } finally {
    server.close();
  }
};
