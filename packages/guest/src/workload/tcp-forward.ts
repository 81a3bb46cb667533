import { createServer, connect, type Socket } from "node:net";

/** Accepts connections on one address and passes their bytes on to another. */
export interface TcpForward {
  close(): Promise<void>;
}

/** Listens on `host:port`; connections of a refused target are closed. Rejects when the address is taken. */
export const forwardTcp = async (
  from: { readonly host: string; readonly port: number },
  to: { readonly host: string; readonly port: number },
): Promise<TcpForward> => {
  const sockets = new Set<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.setNoDelay(true);
  };
  const server = createServer((client) => {
    const target = connect(to);
    track(client);
    track(target);
    const end = (): void => {
      client.destroy();
      target.destroy();
    };
    client.on("error", end).on("close", end).pipe(target);
    target.on("error", end).on("close", end).pipe(client);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(from, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
