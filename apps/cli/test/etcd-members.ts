import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createEtcdClient } from "@capstan/guest/etcd";
import type { Client } from "@capstan/kube";
import { issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { secretTextOf, workloadClient } from "./workload-client.ts";

/** Names of the members of a workload cluster's etcd, as the one on a Node lists them, asked as kubectl port-forward would be used. */
export const etcdMembers = async (management: Client, cluster: string, node: string): Promise<readonly string[]> => {
  const certificate = await secretTextOf(management, `${cluster}-etcd`, "tls.crt");
  const key = await secretTextOf(management, `${cluster}-etcd`, "tls.key");
  const client = await issueCertificate(
    { certificate, key },
    { now: systemClock.now(), commonName: "administrator", usages: ["client"], algorithm: "ECDSA-P256" },
  );
  const { client: workload, close } = await workloadClient(management, cluster);
  const forwarder = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    workload.forward({ namespace: "kube-system", name: `etcd-${node}` }, 2379).then(
      (port) => {
        port.on("error", () => socket.destroy()).once("close", () => socket.destroy());
        socket.pipe(port).pipe(socket);
      },
      () => socket.destroy(),
    );
  });
  await once(forwarder.listen(0, "127.0.0.1"), "listening");
  const etcd = createEtcdClient({ authority: certificate, client, port: (forwarder.address() as AddressInfo).port });
  try {
    const { members } = await etcd.call("Cluster/MemberList");
    return (members as readonly { readonly name: string }[]).map(({ name }) => name).toSorted();
  } finally {
    etcd.close();
    forwarder.close();
    await close();
  }
};
