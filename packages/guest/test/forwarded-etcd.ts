import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { Client } from "@capstan/kube";
import type { CertificateAndKey } from "@capstan/pki";
import { createEtcdClient, type EtcdClient } from "../src/etcd.ts";

/** A client of a member of etcd whose port is forwarded to a port of this host, as kubectl does it. */
export const forwardedEtcd = async (
  { client: api, node }: { readonly client: Client; readonly node: string },
  tls: { readonly authority: string; readonly client: CertificateAndKey },
): Promise<EtcdClient> => {
  const forwarder = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    void api.forward({ namespace: "kube-system", name: `etcd-${node}` }, 2379).then(
      (port) => {
        port.on("error", (error) => socket.destroy(error)).once("close", () => socket.destroy());
        socket.pipe(port).pipe(socket);
      },
      () => socket.destroy(),
    );
  });
  await once(forwarder.listen(0, "127.0.0.1"), "listening");
  const client = createEtcdClient({ ...tls, port: (forwarder.address() as AddressInfo).port });
  return {
    call: (method, request) => client.call(method, request),
    close: () => {
      client.close();
      forwarder.close();
    },
  };
};
