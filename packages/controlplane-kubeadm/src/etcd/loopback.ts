import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { etcdFailed } from "./etcd-failed.ts";

/** Longest life of a connection: some calls are made on it, one after another. */
const timeoutMs = 30_000;

/** Ends both when one of them ends. */
const join = (stream: Duplex, socket: Socket): void => {
  stream.on("error", () => socket.destroy()).once("close", () => socket.destroy());
  socket.on("error", () => stream.destroy()).once("close", () => stream.destroy());
  socket.pipe(stream).pipe(socket);
};

/**
 * A socket whose other end is the stream, by way of this host's loopback: Node's TLS fails an assertion now and then on streams that are
 * no sockets. Nobody else can take the place of the other end.
 */
export const socketTo = async (stream: Duplex): Promise<Socket> => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const accepted = once(server, "connection");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, timeout: timeoutMs });
  socket.once("timeout", () => socket.destroy(etcdFailed("connection", "no answer in time")));
  try {
    const [[other]] = (await Promise.all([accepted, once(socket, "connect")])) as [[Socket], unknown];
    if (other.remotePort !== socket.localPort) {
      other.destroy();
      throw etcdFailed("connection", "another process of this host has connected in its place");
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
