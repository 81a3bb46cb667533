import { connect, createServer, type Server, type Socket } from "node:net";

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

/** Accepts connections on one address and passes their bytes on to others. */
export interface TcpForward {
  close(): Promise<void>;
}

/**
 * Listens on an address; each connection goes to the next of the targets there are then, and past those that refuse it. With none
 * left it is closed. `tried` hears of every target that was tried. Rejects when the address is taken.
 */
export const forwardTcp = async <T extends TcpAddress>(
  from: TcpAddress,
  targets: () => readonly T[],
  tried: (target: T, reached: boolean) => void = () => undefined,
): Promise<TcpForward> => {
  const sockets = new Set<Socket>();
  let turn = 0;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.setNoDelay(true);
  };
  const pass = (client: Socket, [next, ...others]: readonly T[]): void => {
    if (next === undefined || client.destroyed) {
      client.destroy();
      return;
    }
    const target = connect({ host: next.host, port: next.port });
    track(target);
    const tryOthers = (): void => {
      tried(next, false);
      pass(client, others);
    };
    target.once("error", tryOthers).once("connect", () => {
      tried(next, true);
      target.off("error", tryOthers).on("error", () => client.destroy());
      client.once("close", () => target.destroy());
      target.once("close", () => client.destroy());
      client.pipe(target).pipe(client);
    });
  };
  const server = createServer({ pauseOnConnect: true }, (client) => {
    track(client);
    client.on("error", () => client.destroy());
    const all = targets();
    const first = all.length === 0 ? 0 : turn % all.length;
    turn += 1;
    pass(client, [...all.slice(first), ...all.slice(0, first)]);
  });
  await listen(server, from);
  return {
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};

const listen = (server: Server, address: TcpAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      resolve();
    });
  });
