import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { WaitingBytes } from "./waiting-bytes.ts";

/** A client that does not read is dropped when this much waits for it. */
export const maximumBacklog = 16 * 1024 * 1024;
/** Less than this waits for every client now and then, and is not counted. */
const countedFrom = 64 * 1024;
const lineEnd = "\r\n";

/** Text as one chunk of a chunked HTTP answer: made once, it can be written to any number of connections. */
export const chunk = (text: string): Buffer =>
  Buffer.from(`${Buffer.byteLength(text).toString(16)}${lineEnd}${text}${lineEnd}`);

const contentOf = (frame: Buffer): Buffer => frame.subarray(frame.indexOf(lineEnd) + lineEnd.length, -lineEnd.length);

/**
 * The body of an answer without a known end. Chunks go past `response` to its connection: framing them again for every watcher is
 * what costs most about an event. What is written in one turn leaves as one piece.
 */
export class ChunkedStream {
  readonly #response: ServerResponse;
  readonly #socket: Socket | null;
  readonly #isFramed: boolean;
  readonly #waiting: WaitingBytes;
  readonly #user: string;
  #isCorked = false;
  /** Bytes of the backlog that are counted as waiting. */
  #counted = 0;

  /** `response` knows its code and headers; they are sent at once. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { waiting, user }: { readonly waiting: WaitingBytes; readonly user: string },
  ) {
    response.flushHeaders();
    this.#waiting = waiting;
    this.#user = user;
    this.#response = response;
    this.#socket = response.socket;
    this.#isFramed = request.httpVersion !== "1.0";
    const forget = (): void => this.#count(0);
    this.#socket?.on("drain", forget);
    response.once("close", () => {
      this.#socket?.off("drain", forget);
      forget();
    });
  }

  /** Writes what `chunk` has made. */
  write(frame: Buffer): void {
    const socket = this.#socket;
    if (socket === null || this.#response.destroyed) {
      return;
    }
    this.#count(socket.writableLength);
    if (this.#counted > maximumBacklog || (this.#counted > 0 && this.#waiting.isFull(this.#user))) {
      this.#response.destroy();
      return;
    }
    if (!this.#isCorked) {
      this.#isCorked = true;
      socket.cork();
      process.nextTick(() => this.#uncork());
    }
    socket.write(this.#isFramed ? frame : contentOf(frame));
  }

  /** Resolves when the client has taken enough of what was written, or has gone. */
  async drained(): Promise<void> {
    this.#uncork();
    const socket = this.#socket;
    if (socket?.writableNeedDrain === true && !socket.destroyed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.once("drain", resolve);
      socket.once("close", resolve);
      await promise;
      socket.off("drain", resolve);
      socket.off("close", resolve);
    }
  }

  end(): void {
    this.#uncork();
    this.#response.end();
  }

  #count(backlog: number): void {
    const counted = backlog < countedFrom ? 0 : backlog;
    if (counted === this.#counted) {
      return;
    }
    this.#waiting.add(this.#user, counted - this.#counted);
    this.#counted = counted;
  }

  #uncork(): void {
    if (this.#isCorked) {
      this.#isCorked = false;
      this.#socket?.uncork();
    }
  }
}
