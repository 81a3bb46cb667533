import { Duplex } from "node:stream";
import { headerReader, headerWriter, type StreamHeaders } from "./header-blocks.ts";
import { controlFrame, dataFrame, frameReader, FrameType, ResetReason } from "./spdy-frames.ts";

/** One stream of a SPDY connection; destroying it resets it. */
export interface SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: StreamHeaders;
}

export interface SpdyConnectionOptions {
  readonly role: "client" | "server";
  /** Is given each stream that the other side opens; one for which it returns false is refused. Default: all are refused. */
  readonly accept?: (stream: SpdyStream) => boolean;
}

/** Why a connection is closed. */
const goneAway = { ok: 0, protocolError: 1 } as const;

const isClosed = "the connection of the stream is closed";

/** Streams that may be open at a time. */
const mostStreams = 1_000;

class Stream extends Duplex implements SpdyStream {
  readonly id: number;
  readonly headers: StreamHeaders;
  readonly #send: (frame: Buffer, done?: (error?: Error | null) => void) => void;
  readonly #wanted: () => void;
  /** The other side has reset it, or the connection is gone: there is no one to tell. */
  isCut = false;

  constructor(id: number, headers: StreamHeaders, send: (frame: Buffer) => void, wanted: () => void) {
    super({ allowHalfOpen: true });
    this.id = id;
    this.headers = headers;
    this.#send = send;
    this.#wanted = wanted;
  }

  override _read(): void {
    this.#wanted();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#send(dataFrame(this.id, chunk, false), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#send(dataFrame(this.id, Buffer.alloc(0), true), done);
  }

  get isOver(): boolean {
    return this.readableEnded && this.writableFinished;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.isOver && !this.isCut) {
      this.#send(controlFrame(FrameType.rstStream, this.id, ResetReason.cancel));
    }
    this.#wanted();
    done(error);
  }
}

/**
 * SPDY/3.1 on a connection, as Kubernetes uses it: streams without flow control of their own. While one of them is full, nothing is
 * read for the others either.
 */
export class SpdyConnection {
  /** Resolves when the connection is gone, and all its streams. */
  readonly closed: Promise<void>;
  readonly #transport: Duplex;
  readonly #options: SpdyConnectionOptions;
  readonly #readHeaders = headerReader();
  readonly #writeHeaders = headerWriter();
  readonly #streams = new Map<number, Stream>();
  readonly #full = new Set<Stream>();
  #lastOpened: number;
  #lastAccepted = 0;

  constructor(transport: Duplex, options: SpdyConnectionOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#lastOpened = options.role === "client" ? -1 : 0;
    const read = frameReader({
      control: ({ type, lastOfStream, payload }) => this.#control(type, lastOfStream, payload),
      data: (id, bytes, lastOfStream) => this.#data(id, bytes, lastOfStream),
    });
    let cause: Error | undefined;
    this.closed = new Promise((resolve) => {
      transport.once("close", () => {
        for (const stream of this.#streams.values()) {
          this.#cut(stream, stream.isOver ? undefined : new Error(isClosed, { cause }));
        }
        resolve();
      });
    });
    transport.on("error", (error) => {
      cause = error;
      transport.destroy();
    });
    // No one reads on who has nothing more to say.
    transport.once("end", () => transport.destroy());
    transport.on("data", (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (error) {
        if (!(error instanceof RangeError)) {
          throw error;
        }
        this.#goAway(goneAway.protocolError);
      }
    });
  }

  /** Opens a stream. When the other side refuses it, it is destroyed with an error. */
  open(headers: StreamHeaders): SpdyStream {
    this.#lastOpened += 2;
    const stream = this.#add(this.#lastOpened, headers);
    const noPriority = Buffer.alloc(2);
    this.#send(controlFrame(FrameType.synStream, stream.id, 0, noPriority, this.#writeHeaders(headers)));
    return stream;
  }

  /** Says goodbye and closes the connection when everything before has left. */
  close(): void {
    this.#goAway(goneAway.ok);
  }

  #goAway(status: number): void {
    this.#transport.removeAllListeners("data").resume();
    if (!this.#transport.writable) {
      this.#transport.destroy();
      return;
    }
    this.#transport.end(controlFrame(FrameType.goAway, this.#lastAccepted, status), () => this.#transport.destroy());
  }

  #send(frame: Buffer, done?: (error?: Error | null) => void): void {
    if (this.#transport.writable) {
      this.#transport.write(frame, done);
    } else {
      done?.(new Error(isClosed));
    }
  }

  #add(id: number, headers: StreamHeaders): Stream {
    const send = (frame: Buffer, done?: (error?: Error | null) => void): void => this.#send(frame, done);
    const stream: Stream = new Stream(id, headers, send, () => {
      this.#full.delete(stream);
      if (this.#full.size === 0) {
        this.#transport.resume();
      }
    });
    // Whoever uses the stream hears of its end; no one has to.
    stream.on("error", () => undefined);
    stream.once("close", () => this.#streams.delete(id));
    this.#streams.set(id, stream);
    return stream;
  }

  #cut(stream: Stream, error?: Error): void {
    stream.isCut = true;
    stream.destroy(error);
  }

  #control(type: number, lastOfStream: boolean, payload: Buffer): void {
    switch (type) {
      case FrameType.synStream:
        this.#accept(payload, lastOfStream);
        return;
      case FrameType.synReply:
      case FrameType.headers:
        // Nothing is in them that matters, but the headers after them refer to these.
        this.#readHeaders(payload.subarray(4));
        if (lastOfStream) {
          this.#streams.get(payload.readUInt32BE(0))?.push(null);
        }
        return;
      case FrameType.rstStream: {
        const stream = this.#streams.get(payload.readUInt32BE(0));
        const why = `the other side has reset the stream (reason ${payload.readUInt32BE(4)})`;
        if (stream !== undefined) {
          this.#cut(stream, new Error(why));
        }
        return;
      }
      case FrameType.ping:
        this.#pong(payload);
    }
  }

  /** Pings of a client have odd numbers, those of a server even ones; each is sent back. */
  #pong(payload: Buffer): void {
    const isOfClient = payload.readUInt32BE(0) % 2 === 1;
    if (isOfClient === (this.#options.role === "server")) {
      this.#send(controlFrame(FrameType.ping, payload));
    }
  }

  #accept(payload: Buffer, lastOfStream: boolean): void {
    const id = payload.readUInt32BE(0);
    const headers = this.#readHeaders(payload.subarray(10));
    const isOfOthers = id % 2 === (this.#options.role === "server" ? 1 : 0);
    if (!isOfOthers || id <= this.#lastAccepted) {
      throw new RangeError(`the other side may not open stream ${id}`);
    }
    this.#lastAccepted = id;
    const stream = this.#add(id, headers);
    if (this.#streams.size > mostStreams || this.#options.accept?.(stream) !== true) {
      this.#send(controlFrame(FrameType.rstStream, id, ResetReason.refused));
      this.#cut(stream);
      return;
    }
    this.#send(controlFrame(FrameType.synReply, id, this.#writeHeaders({})));
    if (lastOfStream) {
      stream.push(null);
    }
  }

  #data(id: number, bytes: Buffer, lastOfStream: boolean): void {
    if (id > Math.max(this.#lastAccepted, this.#lastOpened)) {
      throw new RangeError(`there is data of stream ${id}, which nobody has opened`);
    }
    const stream = this.#streams.get(id);
    // Data for a stream that has ended here may still be under way.
    if (stream === undefined) {
      return;
    }
    if (bytes.length > 0 && !stream.push(bytes)) {
      this.#full.add(stream);
      this.#transport.pause();
    }
    if (lastOfStream) {
      stream.push(null);
    }
  }
}
