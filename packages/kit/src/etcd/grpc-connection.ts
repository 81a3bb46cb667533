import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls, type SecureContext } from "node:tls";
import { etcdFailed } from "./etcd-failed.ts";
import { Frames, headerBytes } from "./grpc-frames.ts";
import { socketTo } from "../workload/loopback.ts";

const ok = "0";
const notWhole = "the answer is not whole";

const framed = (message: Buffer): Buffer => {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
};

const refusal = (headers: IncomingHttpHeaders): string | undefined => {
  const code = headers["grpc-status"];
  if (code === undefined || code === ok) return undefined;
  return decodeURIComponent(String(headers["grpc-message"] ?? "")) || `status ${String(code)}`;
};

/** gRPC on one connection, with TLS on both sides: one message is sent, and one or many come back. */
export class GrpcConnection {
  readonly #session: ClientHttp2Session;
  #failure: Error | undefined;

  private constructor(stream: Duplex, socket: Socket, secureContext: SecureContext) {
    // The names of a certificate are not checked: they are the Node's, and the way there is a Pod.
    const checkServerIdentity = () => undefined;
    const secure = connectTls({ socket, secureContext, ALPNProtocols: ["h2"], checkServerIdentity });
    this.#session = connect("https://etcd", { createConnection: () => secure });
    const failed = (error: Error): void => {
      this.#failure ??= error;
    };
    stream.on("error", (error) => {
      failed(error);
      secure.destroy(error);
    });
    secure.on("error", failed);
    this.#session.on("error", failed);
  }

  /** Begins to speak on a stream, with the authority and the certificate of `context`; what fails comes with the first call. */
  static async on(stream: Duplex, context: SecureContext): Promise<GrpcConnection> {
    return new GrpcConnection(stream, await socketTo(stream, (why) => etcdFailed("connection", why)), context);
  }

  /** Throws `kit.etcd_failed`. */
  async call(path: string, message: Buffer, signal: AbortSignal): Promise<Buffer> {
    const answers: Buffer[] = [];
    for await (const answer of this.stream(path, message, signal)) answers.push(answer);
    const [first] = answers;
    if (first === undefined || answers.length > 1) throw etcdFailed(path, notWhole);
    return first;
  }

  /** The messages of an answer, one after another. Throws `kit.etcd_failed`. */
  async *stream(path: string, message: Buffer, signal: AbortSignal): AsyncGenerator<Buffer, void> {
    const stream = this.#session.request(
      { ":method": "POST", ":path": `/etcdserverpb.${path}`, "content-type": "application/grpc", te: "trailers" },
      { signal },
    );
    const frames = new Frames();
    let refused: string | undefined;
    const note = (headers: IncomingHttpHeaders): void => {
      refused ??= refusal(headers);
    };
    stream.on("response", note).on("trailers", note);
    stream.end(framed(message));
    try {
      for await (const part of stream) yield* frames.take(part as Buffer);
    } catch (error) {
      throw etcdFailed(path, (this.#failure ?? (error as Error)).message);
    }
    if (refused !== undefined) throw etcdFailed(path, refused);
    if (this.#failure !== undefined) throw etcdFailed(path, this.#failure.message);
    if (!frames.isEmpty) throw etcdFailed(path, notWhole);
  }

  /** Nothing more will come of it. */
  get isBroken(): boolean {
    return this.#failure !== undefined || this.#session.closed || this.#session.destroyed;
  }

  close(): void {
    this.#session.destroy();
  }
}
