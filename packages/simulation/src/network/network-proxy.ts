import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { ProxyFor } from "@capstan/contract";

/** The loopback address that stands for a name or an address inside of a cloud's networks; `undefined`: it is none of theirs. */
export type Reach = (host: string) => string | undefined;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : "");

/**
 * Lets those outside into the networks of a simulated cloud, as a peered network or a VPN does: an HTTP proxy on loopback that tunnels
 * CONNECT to what is inside, and nowhere else.
 */
export class NetworkProxy {
  readonly #reach: Reach;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #url: string | undefined;

  constructor(reach: Reach) {
    this.#reach = reach;
    this.#server = createServer((_, response) => response.writeHead(405).end());
    this.#server.on("connect", ({ url = "" }, client: Socket) => this.#lead(client, url));
  }

  /** This proxy for what is inside, once it has started; `undefined` for all else. */
  readonly proxyFor: ProxyFor = (url) => (this.#reach(hostOf(url)) === undefined ? undefined : this.#url);

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #lead(client: Socket, asked: string): void {
    this.#track(client);
    const host = this.#reach(hostOf(`https://${asked}`));
    const port = Number(/:(\d+)$/.exec(asked)?.[1] ?? 443);
    if (host === undefined) {
      client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      return;
    }
    const target = connect({ host, port }, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(target).pipe(client);
    });
    this.#track(target);
    client.once("close", () => target.destroy());
    target.once("close", () => client.destroy());
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }
}
