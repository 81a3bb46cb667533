import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import type { Logger } from "@capstan/contract";
import { broadcastSources, ownAddresses } from "../dhcp/broadcast-routes.ts";
import { listenFailed } from "./listen-failed.ts";

const any = "0.0.0.0";
const broadcast = "255.255.255.255";

/** Called with each packet and its sender. */
export type Receive = (bytes: Buffer, from: RemoteInfo) => void;

export interface DhcpPlace {
  /** The address to listen at; `0.0.0.0` for all. */
  readonly address: string;
  readonly port: number;
}

/** Listens at an address. Throws `tink.listen_failed`. */
export const openSocket = async ({ address, port }: DhcpPlace, receive: Receive): Promise<Socket> => {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  socket.on("message", receive);
  const failed = once(socket, "error").then(([error]) => {
    throw listenFailed("DHCP", `${address}:${port}`, error as Error);
  });
  failed.catch(() => undefined);
  socket.bind({ address, port });
  await Promise.race([once(socket, "listening"), failed]);
  socket.setBroadcast(true);
  return socket;
};

/**
 * Sends broadcasts through every interface that a client may be next to, also where no route leads anywhere else. Each interface gets a
 * socket with its address, by which the kernel chooses the interface. Close it with the socket that listens.
 */
export class BroadcastSockets {
  readonly #place: DhcpPlace;
  readonly #receive: Receive;
  readonly #log: Logger;
  readonly #sockets = new Map<string, Promise<Socket>>();

  constructor(place: DhcpPlace, receive: Receive, log: Logger) {
    this.#place = place;
    this.#receive = receive;
    this.#log = log;
  }

  /** `client`: the address that the client is to have, which shows its network. Failures are logged: the client asks again. */
  async send(bytes: Uint8Array, port: number, client: string): Promise<void> {
    const sources = broadcastSources(ownAddresses(networkInterfaces()), client);
    if (sources.length === 0) {
      this.#log.warn("a reply of DHCP was not sent: no interface has an IPv4 address", { client });
    }
    await Promise.all(sources.map((source) => this.#sendFrom(source, bytes, port)));
  }

  async #sendFrom(source: string, bytes: Uint8Array, port: number): Promise<void> {
    try {
      const socket = await this.#socketOf(source);
      await new Promise<void>((resolve, reject) => {
        socket.send(bytes, port, broadcast, (error) => (error === null ? resolve() : reject(error)));
      });
    } catch (error) {
      this.#sockets.delete(source);
      this.#log.warn("a reply of DHCP was not sent", { from: source, error });
    }
  }

  /** A packet to this very address comes to this socket instead of the one that listens at all. */
  #socketOf(address: string): Promise<Socket> {
    const known = this.#sockets.get(address);
    if (known !== undefined) return known;
    const opened = openSocket({ address, port: this.#place.port }, this.#receive);
    this.#sockets.set(address, opened);
    return opened;
  }

  close(): void {
    for (const socket of this.#sockets.values()) {
      socket.then(
        (each) => each.close(),
        () => undefined,
      );
    }
    this.#sockets.clear();
  }

  /** True if broadcasts need these sockets: a socket with an address of its own finds its interface by itself. */
  get isNeeded(): boolean {
    return this.#place.address === any;
  }
}
