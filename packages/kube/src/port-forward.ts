import type { Duplex } from "node:stream";
import { CapstanError } from "@capstan/contract";
import { keyText, type ObjectKey } from "@capstan/kube-values";
import type { Resource } from "@capstan/schema";
import { SpdyConnection } from "@capstan/spdy";
import type { CallOptions } from "./client.ts";
import type { Connection } from "./connection.ts";
import { objectPath } from "./paths.ts";

const PodResource: Resource = { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true };

const failure = (pod: ObjectKey, port: number, why: string): CapstanError =>
  new CapstanError({
    code: "kube.port_forward_failed",
    reason: "PortForwardFailed",
    message: `port ${port} of Pod ${keyText(pod)} cannot be reached: ${why.trim()}`,
  });

/**
 * Connects to a port of a Pod through its API server. The stream fails with `kube.port_forward_failed` when the node cannot reach the
 * port. Throws as other calls do when the API server refuses.
 */
export const forwardPort = async (
  connection: Connection,
  pod: ObjectKey,
  port: number,
  options: CallOptions = {},
): Promise<Duplex> => {
  const transport = await connection.upgrade({
    method: "POST",
    path: objectPath(PodResource, pod, "portforward"),
    protocol: "SPDY/3.1",
    headers: { "x-stream-protocol-version": "portforward.k8s.io" },
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  });
  const streams = new SpdyConnection(transport, { role: "client" });
  const headers = { port: String(port), requestid: "0" };
  const errors = streams.open({ ...headers, streamtype: "error" });
  errors.on("error", () => undefined);
  errors.end();
  const data = streams.open({ ...headers, streamtype: "data" });
  // It comes before the end of the data, and in one piece.
  errors.once("data", (said: Buffer) => data.destroy(failure(pod, port, said.toString())));
  data.once("close", () => streams.close());
  return data;
};
