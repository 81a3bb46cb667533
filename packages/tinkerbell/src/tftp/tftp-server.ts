import type { Clock, Logger } from "@capstan/contract";
import { negotiate } from "./negotiate.ts";
import { errorPacket, readTftp, TftpError, type TftpRequest } from "./packet.ts";
import { TftpTransfer } from "./transfer.ts";

/** A client of TFTP, as its packets come. */
export interface TftpClient {
  readonly address: string;
  readonly port: number;
}

export interface TftpServerParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns a file for a client; `undefined`: there is none for it; `later`: what there is for it is not known yet. */
  readonly read: (path: string, client: string) => Promise<Uint8Array | "later" | undefined>;
  readonly send: (packet: Buffer, client: TftpClient) => void;
}

/** Files on their way at once, to one address and altogether. */
const mostTransfers = { ofAddress: 8, altogether: 512 } as const;

/** A request that comes again so soon has not heard the first answer; later, the client has started again, as firmware does at the same port. */
const sameRequestMs = 3000;

interface Begun {
  readonly at: number;
  readonly transfer: TftpTransfer;
}

/** Lines as netascii has them: CR LF, and CR NUL for a CR alone. */
const netascii = (content: Uint8Array): Buffer =>
  Buffer.from(
    Buffer.from(content)
      .toString("latin1")
      .replaceAll(/\r\n|\r|\n/g, (end) => (end === "\n" ? "\r\n" : end === "\r" ? "\r\0" : "\r\0\r\n")),
    "latin1",
  );

/**
 * Sends files by TFTP (RFC 1350, 2347 to 2349, 7440), all from the port at which requests come, so that firewalls let answers through. It
 * takes no files. An address that has not answered gets one packet at a time, and only a few: who forges an address sends no one a flood.
 */
export class TftpServer {
  readonly #parts: TftpServerParts;
  /** By address and port of the client; `undefined` while the file is read. */
  readonly #transfers = new Map<string, Begun | undefined>();
  readonly #ofAddress = new Map<string, number>();
  #isClosed = false;

  constructor(parts: TftpServerParts) {
    this.#parts = parts;
  }

  /** Takes a packet; other bytes are not answered. */
  receive(bytes: Buffer, client: TftpClient): void {
    const packet = readTftp(bytes);
    if (packet === undefined || this.#isClosed) return;
    const key = `${client.address} ${client.port}`;
    switch (packet.kind) {
      case "ack":
        this.#transfers.get(key)?.transfer.acknowledge(packet.block);
        return;
      case "error":
        this.#transfers.get(key)?.transfer.end();
        return;
      case "write":
        this.#refuse(client, TftpError.accessViolation, "files are not taken here");
        return;
      default:
        void this.#begin(packet.request, client, key);
    }
  }

  /** Ends everything that is on its way. */
  close(): void {
    this.#isClosed = true;
    for (const begun of this.#transfers.values()) begun?.transfer.end();
  }

  /** Files that are on their way. */
  get size(): number {
    return this.#transfers.size;
  }

  #refuse(client: TftpClient, code: number, why: string): void {
    this.#parts.send(errorPacket(code, why), client);
  }

  async #begin(request: TftpRequest, client: TftpClient, key: string): Promise<void> {
    const { clock, log } = this.#parts;
    if (this.#transfers.has(key)) {
      const begun = this.#transfers.get(key);
      if (begun === undefined || clock.now() - begun.at < sameRequestMs) return;
      begun.transfer.end();
    }
    const { path } = request;
    if (request.mode !== "octet" && request.mode !== "netascii") {
      this.#refuse(client, TftpError.illegal, "the modes are octet and netascii");
      return;
    }
    const own = this.#ofAddress.get(client.address) ?? 0;
    if (own >= mostTransfers.ofAddress || this.#transfers.size >= mostTransfers.altogether) {
      log.warn("a file was not sent by TFTP: too many are on their way", { path, client: client.address });
      this.#refuse(client, TftpError.notDefined, "too many files are on their way; ask again");
      return;
    }
    this.#transfers.set(key, undefined);
    this.#ofAddress.set(client.address, own + 1);
    try {
      const found = await this.#parts.read(path, client.address);
      if (this.#isClosed) return;
      if (found instanceof Uint8Array) {
        this.#transfer(request, request.mode === "octet" ? found : netascii(found), client, key);
        return;
      }
      if (found === "later") this.#refuse(client, TftpError.notDefined, "Hardware has not been read yet; ask again");
      else this.#refuse(client, TftpError.notFound, "there is no such file for this machine");
      this.#forget(client, key);
    } catch (error) {
      log.warn("a file was not read for TFTP", { path, client: client.address, error });
      this.#refuse(client, TftpError.notDefined, "this cannot be read now; ask again");
      this.#forget(client, key);
    }
  }

  #transfer(request: TftpRequest, content: Uint8Array, client: TftpClient, key: string): void {
    const { clock, log, send } = this.#parts;
    const { path } = request;
    const transfer = new TftpTransfer({
      content,
      terms: negotiate(request, content.length),
      clock,
      send: (packet) => send(packet, client),
      ended: (isComplete) => {
        this.#forget(client, key);
        const what = { path, client: client.address, bytes: content.length };
        if (isComplete) log.info("sent a file by TFTP", what);
        else log.debug("a client of TFTP went away", what);
      },
    });
    this.#transfers.set(key, { at: clock.now(), transfer });
  }

  #forget({ address }: TftpClient, key: string): void {
    this.#transfers.delete(key);
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#ofAddress.delete(address);
    else this.#ofAddress.set(address, left);
  }
}
