import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { etcdFailed } from "./etcd-failed.ts";
import { socketTo } from "./loopback.ts";

/** PEM. */
export interface GrpcCertificates {
  /** Of the server's certificate. Its names are not checked: they are the Node's, and the way there is a Pod. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const ok = "0";
const headerBytes = 5;

const framed = (message: Buffer): Buffer => {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
};

/** The one message of an answer. */
const unframed = (call: string, body: Buffer): Buffer => {
  const length = body.length < headerBytes ? -1 : body.readUInt32BE(1);
  if (length !== body.length - headerBytes || body[0] !== 0) throw etcdFailed(call, "the answer is not whole");
  return body.subarray(headerBytes);
};

const refusal = (headers: IncomingHttpHeaders): string | undefined => {
  const code = headers["grpc-status"];
  if (code === undefined || code === ok) return undefined;
  return decodeURIComponent(String(headers["grpc-message"] ?? "")) || `status ${String(code)}`;
};

/** gRPC on one connection, with TLS on both sides: calls of one message each way. */
export class GrpcConnection {
  readonly #session: ClientHttp2Session;
  #failure: Error | undefined;

  private constructor(stream: Duplex, socket: Socket, { authority, certificate, key }: GrpcCertificates) {
    const options = {
      ca: authority,
      cert: certificate,
      key,
      ALPNProtocols: ["h2"],
      checkServerIdentity: () => undefined,
    };
    const secure = connectTls({ socket, ...options });
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

  /** Begins to speak on a stream; what fails comes with the first call. */
  static async on(stream: Duplex, certificates: GrpcCertificates): Promise<GrpcConnection> {
    return new GrpcConnection(stream, await socketTo(stream), certificates);
  }

  /** Throws `kubeadm.etcd_failed`. */
  async call(path: string, message: Buffer, signal: AbortSignal): Promise<Buffer> {
    const stream = this.#session.request(
      { ":method": "POST", ":path": `/etcdserverpb.${path}`, "content-type": "application/grpc", te: "trailers" },
      { signal },
    );
    const parts: Buffer[] = [];
    let refused: string | undefined;
    const note = (headers: IncomingHttpHeaders): void => {
      refused ??= refusal(headers);
    };
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stream.on("response", note).on("trailers", note);
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.once("error", (error) => reject(this.#failure ?? error));
    stream.once("close", resolve);
    stream.end(framed(message));
    try {
      await promise;
    } catch (error) {
      throw etcdFailed(path, (error as Error).message);
    }
    if (refused !== undefined) throw etcdFailed(path, refused);
    return unframed(path, Buffer.concat(parts));
  }

  close(): void {
    this.#session.destroy();
  }
}
