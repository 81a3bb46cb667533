import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { SecretResource } from "@capstan/contract/wire";
import { createEtcdClient } from "@capstan/guest/etcd";
import { connect, createClient, loadKubeconfig, type Client } from "@capstan/kube";
import { issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";

const dataOf = async (client: Client, name: string, key: string): Promise<string> => {
  const { data } = await client.get(SecretResource, { namespace: "default", name });
  const encoded = (data as Readonly<Record<string, string>> | undefined)?.[key] ?? "";
  return Buffer.from(encoded, "base64").toString();
};

/** Names of the members of a workload cluster's etcd, as the one on a Node lists them, asked as kubectl port-forward would be used. */
export const etcdMembers = async (management: Client, cluster: string, node: string): Promise<readonly string[]> => {
  const access = await loadKubeconfig({ text: await dataOf(management, `${cluster}-kubeconfig`, "value") });
  const certificate = await dataOf(management, `${cluster}-etcd`, "tls.crt");
  const key = await dataOf(management, `${cluster}-etcd`, "tls.key");
  const client = await issueCertificate(
    { certificate, key },
    { now: systemClock.now(), commonName: "administrator", usages: ["client"], algorithm: "ECDSA-P256" },
  );
  const connection = connect({ access, clock: systemClock });
  const workload = createClient(connection);
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
    await connection.close();
  }
};
