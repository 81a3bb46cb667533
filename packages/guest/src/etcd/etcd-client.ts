import { promisify } from "node:util";
import type { CertificateAndKey } from "@capstan/pki";
import { ChannelCredentials, Client, type ServiceDefinition } from "@grpc/grpc-js";
import { etcdServices } from "./etcd-services.ts";

/** Calls one member of an etcd. */
export interface EtcdClient {
  /**
   * Resolves with the answer of a method, for example `Cluster/MemberList`; 64-bit numbers are text. Rejects with a gRPC error, which has
   * `code` and `details`.
   */
  call(method: string, request?: object): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

/** A client for what listens on a port of loopback: a port that is forwarded to a member of a guest, or of a real cluster. */
export const createEtcdClient = (options: {
  readonly port: number;
  /** PEM of the authority of the member's certificate. */
  readonly authority: string;
  readonly client: CertificateAndKey;
}): EtcdClient => {
  const { certificate, key } = options.client;
  const credentials = ChannelCredentials.createSsl(
    Buffer.from(options.authority),
    Buffer.from(key),
    Buffer.from(certificate),
  );
  const client = new Client(`127.0.0.1:${options.port}`, credentials, { "grpc.ssl_target_name_override": "localhost" });
  const send = promisify(client.makeUnaryRequest.bind(client)) as (...sent: readonly unknown[]) => Promise<unknown>;
  return {
    call: async (path, request = {}) => {
      const [service = "", name = ""] = path.split("/");
      const method = (etcdServices[`etcdserverpb.${service}`] as ServiceDefinition | undefined)?.[name];
      if (method === undefined) throw new TypeError(`${path} is not a method of etcd that is modelled`);
      const { requestSerialize, responseDeserialize } = method;
      return (await send(method.path, requestSerialize, responseDeserialize, request)) as Readonly<
        Record<string, unknown>
      >;
    },
    close: () => client.close(),
  };
};
