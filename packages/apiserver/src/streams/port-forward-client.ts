import { request } from "node:https";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { CapstanError } from "@capstan/contract";
import { portForwardProtocol } from "./forward-ports.ts";
import { SpdyConnection } from "@capstan/spdy";

/** A port of a Pod, and how its API server is reached. */
export interface PodPort {
  /** Of the API server. */
  readonly url: string;
  /** PEM of the authority of the API server. */
  readonly ca: string;
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** PEM; without them, `headers` have to authenticate. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
  readonly headers?: Readonly<Record<string, string>>;
}

const failure = ({ namespace, name, port }: PodPort, why: string): CapstanError =>
  new CapstanError({
    code: "apiserver.port_forward_failed",
    reason: "PortForwardFailed",
    message: `port ${port} of Pod ${namespace}/${name} cannot be reached: ${why}`,
  });

const upgraded = ({ url, ca, namespace, name, clientCertificate, headers }: PodPort): Promise<Duplex> => {
  const sent = request(new URL(`/api/v1/namespaces/${namespace}/pods/${name}/portforward`, url), {
    method: "POST",
    agent: false,
    ca,
    ...(clientCertificate !== undefined && { cert: clientCertificate.certificate, key: clientCertificate.key }),
    headers: {
      ...headers,
      connection: "Upgrade",
      upgrade: "SPDY/3.1",
      "x-stream-protocol-version": portForwardProtocol,
    },
  });
  return new Promise((resolve, reject) => {
    sent.once("error", reject);
    sent.once("upgrade", (_answer, socket, head) => {
      socket.unshift(head);
      resolve(socket);
    });
    sent.once("response", (answer) => {
      text(answer).then((body) => reject(new Error(`${answer.statusCode} ${body}`)), reject);
    });
    sent.end();
  });
};

/**
 * Connects to a port of a Pod through its API server, as `kubectl port-forward` does; the stream fails with what the node says when the
 * port cannot be reached. Throws `apiserver.port_forward_failed` when the API server refuses.
 */
export const connectToPod = async (target: PodPort): Promise<Duplex> => {
  const transport = await upgraded(target).catch((error: unknown) => {
    throw failure(target, (error as Error).message);
  });
  const connection = new SpdyConnection(transport, { role: "client" });
  const headers = { port: String(target.port), requestid: "0" };
  const errors = connection.open({ ...headers, streamtype: "error" });
  errors.end();
  const data = connection.open({ ...headers, streamtype: "data" });
  // It comes before the end of the data, and in one piece.
  errors.once("data", (said: Buffer) => data.destroy(failure(target, said.toString())));
  data.once("close", () => connection.close());
  return data;
};
