import { get } from "node:http";
import { grpcCall, GrpcError, workflowService } from "@capstan/sim-metal";

/** The services that Tinkerbell has for machines, as machines at addresses of the loopback network call them. */
export interface MachinesApi {
  /** Makes a call of an agent; returns the answer, or the code of its failure. */
  readonly call: (method: string, request: object, from: string) => Promise<object>;
  /** Fetches a path over HTTP. */
  readonly get: (path: string, from: string) => Promise<{ readonly status: number | undefined; readonly text: string }>;
}

/** Services on these ports of 127.0.0.1, without TLS. */
export const machinesApi = (ports: { readonly grpc: number; readonly http: number }): MachinesApi => ({
  call: async (method, request, localAddress) => {
    const target = { authority: `127.0.0.1:${ports.grpc}`, tls: false, insecure: false, localAddress };
    const definition = workflowService[method] as Parameters<typeof grpcCall>[1];
    try {
      return (await grpcCall(target, definition, { request, signal: new AbortController().signal })) as object;
    } catch (error) {
      if (error instanceof GrpcError) return { code: error.code };
      throw error;
    }
  },
  get: async (path, localAddress) => {
    const { promise, reject, resolve } = Promise.withResolvers<{ status: number | undefined; text: string }>();
    const request = get({ host: "127.0.0.1", port: ports.http, path, localAddress }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    request.once("error", reject);
    return promise;
  },
});
