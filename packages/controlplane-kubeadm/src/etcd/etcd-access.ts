import { SecretPurpose } from "@capstan/contract";
import type { ControlPlaneContext } from "@capstan/kit/control-plane";
import { issueCertificate } from "@capstan/pki";
import type { KubeadmControlPlane } from "../api.ts";
import { signingAuthority } from "../authority/authority.ts";
import { EtcdClient, type EtcdView } from "./etcd-client.ts";
import { etcdFailed } from "./etcd-failed.ts";
import type { GrpcCertificates } from "./grpc-connection.ts";

export type Context = ControlPlaneContext<KubeadmControlPlane>;

/** Whether etcd runs on the Machines, and is ours to look after. */
export const hasOwnEtcd = ({ spec }: KubeadmControlPlane): boolean =>
  spec.kubeadmConfigSpec?.clusterConfiguration?.etcd?.external === undefined;

const certificatesFor = async (context: Context): Promise<GrpcCertificates> => {
  const consequence = "etcd cannot be asked, so that no control-plane Machine is made, replaced or deleted";
  const authority = await signingAuthority(context, { purpose: SecretPurpose.etcd, consequence });
  const client = await issueCertificate(authority, {
    now: context.clock.now(),
    commonName: "cluster-api.x-k8s.io",
    usages: ["client"],
    algorithm: "ECDSA-P256",
  });
  return { authority: authority.certificate, certificate: client.certificate, key: client.key };
};

/** Does something with the member on a Node. */
export const withMember = async <T>(
  context: Context,
  node: string,
  work: (client: EtcdClient) => Promise<T>,
): Promise<T> => {
  const { signal } = context.call;
  const client = await EtcdClient.on(node, await context.workload(), await certificatesFor(context), signal);
  try {
    return await work(client);
  } finally {
    client.close();
  }
};

/** The same with the first of several Nodes whose member answers. Throws what the last one failed with. */
export const withAnyMember = async <T>(
  context: Context,
  nodes: readonly string[],
  work: (client: EtcdClient) => Promise<T>,
): Promise<T> => {
  let failure: unknown = etcdFailed("members", "no Machine has a Node");
  for (const node of nodes) {
    try {
      return await withMember(context, node, work);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
};

/** What the first member that answers says of all. */
export const viewOfEtcd = (context: Context, nodes: readonly string[]): Promise<EtcdView> =>
  withAnyMember(context, nodes, (client) => client.view());
