import { connect as connectSession, constants } from "node:http2";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import type { MethodDefinition } from "@grpc/proto-loader";

/** Codes of gRPC that an agent tells apart. */
export const GrpcStatus = {
  ok: 0,
  unknown: 2,
  invalidArgument: 3,
  notFound: 5,
  failedPrecondition: 9,
  unavailable: 14,
} as const;

/** A call that was answered with something else than OK, or not at all (`unavailable`). */
export class GrpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "GrpcError";
    this.code = code;
  }
}

export interface GrpcTarget {
  /** `host:port`. */
  readonly authority: string;
  readonly tls: boolean;
  /** With TLS: certificates are not checked. */
  readonly insecure: boolean;
  /** The address of the machine that calls. */
  readonly localAddress: string;
}

/** Flag and length of a message on the wire. */
const prefixBytes = 5;

/**
 * Makes one unary call from the address of a machine, on a connection of its own. It stands on HTTP/2 itself, because clients of
 * @grpc/grpc-js cannot choose the address that they call from. Rejects with `GrpcError`.
 */
export const grpcCall = async <Request extends object, Response>(
  target: GrpcTarget,
  method: MethodDefinition<Request, Response>,
  { request, signal }: { readonly request: Request; readonly signal: AbortSignal },
): Promise<Response> => {
  signal.throwIfAborted();
  const message = method.requestSerialize(request);
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  const answer = await exchange(target, { path: method.path, body: Buffer.concat([prefix, message]), signal });
  if (answer.status !== GrpcStatus.ok) throw new GrpcError(answer.status, answer.message);
  if (answer.body.length < prefixBytes) throw new GrpcError(GrpcStatus.unknown, "the answer has no message");
  return method.responseDeserialize(answer.body.subarray(prefixBytes));
};

interface Answer {
  readonly status: number;
  readonly message: string;
  readonly body: Buffer;
}

const exchange = (
  target: GrpcTarget,
  { path, body, signal }: { readonly path: string; readonly body: Buffer; readonly signal: AbortSignal },
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const session = open(target);
    const abort = (): void => session.destroy();
    const end = (settle: () => void): void => {
      signal.removeEventListener("abort", abort);
      session.destroy();
      settle();
    };
    const fail = (error?: Error): void =>
      end(() => {
        if (signal.aborted) reject(signal.reason as Error);
        else reject(new GrpcError(GrpcStatus.unavailable, error?.message ?? "the connection was closed"));
      });
    signal.addEventListener("abort", abort, { once: true });
    session.once("error", fail);
    session.once("close", () => fail());
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    const chunks: Buffer[] = [];
    let headers: Readonly<Record<string, unknown>> = {};
    stream.once("error", fail);
    stream.on("response", (first) => (headers = { ...headers, ...first }));
    stream.on("trailers", (last) => (headers = { ...headers, ...last }));
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.once("end", () => {
      const status = Number(headers["grpc-status"] ?? GrpcStatus.unavailable);
      const message = decodeURIComponent(String(headers["grpc-message"] ?? `HTTP ${String(headers[":status"])}`));
      end(() => resolve({ status, message, body: Buffer.concat(chunks) }));
    });
    stream.end(body);
  });

const open = ({ authority, tls, insecure, localAddress }: GrpcTarget) => {
  const { hostname: host, port } = new URL(`http://${authority}`);
  const to = { host, port: Number(port), localAddress };
  return connectSession(`${tls ? "https" : "http"}://${authority}`, {
    createConnection: () =>
      tls ? connectTls({ ...to, ALPNProtocols: ["h2"], rejectUnauthorized: !insecure }) : connectTcp(to),
  });
};
