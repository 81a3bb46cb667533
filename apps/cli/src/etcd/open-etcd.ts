import { type Clock, clusterSecretType, SecretPurpose } from "@capstan/contract";
import {
  ClusterResource,
  clusterSecretName,
  clusterSecretProblem,
  isControlPlane,
  machine as machineFields,
  MachineResource,
  NodeResource,
  SecretResource,
} from "@capstan/contract/wire";
import { etcdPods, type EtcdWay } from "@capstan/kit/control-plane";
import { kubeconfigConnection } from "@capstan/kit/workload";
import { createClient } from "@capstan/kube";
import { fromBase64 } from "@capstan/kube-values";
import { parseKubeconfig } from "@capstan/pki";
import { proxyFromEnvironment } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { absenceOf } from "../cluster/absence.ts";
import type { ManagementSession } from "../management-session.ts";
import { isOfCluster } from "@capstan/inspect";
import { noEtcd } from "./failures.ts";

/** A server of the cluster on whose Node a member of etcd may run. */
export interface EtcdServer {
  readonly node: string;
  /** The name of its member, where that is not the Node's. */
  readonly memberName: string;
  /** `undefined`: no Machine has the Node. */
  readonly machine: string | undefined;
  readonly isLeaving: boolean;
}

/** The etcd of one Cluster and the way to it. */
export interface OpenEtcd {
  readonly cluster: string;
  readonly way: EtcdWay;
  readonly servers: readonly EtcdServer[];
}

/** The management API that knows the Cluster. */
export type EtcdSession = Omit<ManagementSession, "connection">;

type Text = Readonly<Record<string, string>>;

const readSecret = async (
  cluster: string,
  purpose: string,
  { client, namespace, signal }: EtcdSession,
): Promise<{ readonly name: string; readonly data: Text } | undefined> => {
  const name = clusterSecretName(cluster, purpose);
  const secret = await client.find(SecretResource, { namespace, name }, { signal });
  if (secret === undefined) return undefined;
  const problem = clusterSecretProblem(secret, cluster);
  if (problem !== undefined) throw noEtcd(`Secret ${namespace}/${name} is not taken: ${problem}`);
  const data = Object.entries((secret["data"] ?? {}) as Text).map(([key, value]) => [key, fromBase64(value)]);
  return { name, data: Object.fromEntries(data) as Text };
};

const mustExist = async (cluster: string, { client, namespace, signal }: EtcdSession): Promise<void> => {
  const key = { namespace, name: cluster };
  if ((await client.find(ClusterResource, key, { signal })) !== undefined) return;
  throw noEtcd(await absenceOf(client, ClusterResource, key, { signal }));
};

const serverOf = (node: KubeObject, machines: readonly KubeObject[]): EtcdServer => {
  const name = node.metadata.name ?? "";
  const annotations = node.metadata.annotations ?? {};
  const memberName = Object.entries(annotations).find(([key]) => /^etcd\..*\.cattle\.io\/node-name$/.test(key))?.[1];
  const machine = machines.find((each) => machineFields.nodeName.get(each) === name);
  return {
    node: name,
    memberName: memberName ?? name,
    machine: machine?.metadata.name,
    isLeaving: machine?.metadata.deletionTimestamp !== undefined,
  };
};

/**
 * Opens the way to the etcd of a Cluster, for `work` alone. Throws `etcd.not_reachable` where there is no such Cluster, where it has no
 * kubeconfig yet, and where its etcd is external.
 */
export const withEtcd = async <T>(
  session: EtcdSession & { readonly clock: Clock },
  cluster: string,
  work: (etcd: OpenEtcd) => Promise<T>,
): Promise<T> => {
  const { client, clock, namespace, signal } = session;
  await mustExist(cluster, session);
  const kubeconfig = await readSecret(cluster, SecretPurpose.kubeconfig, session);
  const authority = await readSecret(cluster, SecretPurpose.etcd, session);
  if (kubeconfig?.data["value"] === undefined) {
    throw noEtcd(
      `Cluster ${cluster} has no kubeconfig yet; capstan describe cluster ${cluster} says what it waits for`,
    );
  }
  const { "tls.crt": certificate = "", "tls.key": key = "" } = authority?.data ?? {};
  if (certificate === "" || key === "") {
    throw noEtcd(
      `Secret ${namespace}/${clusterSecretName(cluster, SecretPurpose.etcd)} of type ${clusterSecretType} does not have both the certificate and the key of etcd's authority: an external etcd is not looked after from here`,
    );
  }
  const connection = kubeconfigConnection(parseKubeconfig(kubeconfig.data["value"]), {
    where: `Secret ${namespace}/${kubeconfig.name}`,
    clock,
    proxyFor: proxyFromEnvironment(process.env),
  });
  try {
    const workload = createClient(connection);
    const machines = (await client.list(MachineResource, { namespace, signal })).items
      .filter(isOfCluster(cluster))
      .filter(isControlPlane);
    const labelSelector = "node-role.kubernetes.io/control-plane";
    const { items: nodes } = await workload.list(NodeResource, { labelSelector, signal });
    const pods = await etcdPods(workload, { signal });
    const way = {
      workload,
      authority: { certificate, key },
      clock,
      signal,
      podOn: (node: string) => {
        const pod = pods.get(node);
        if (pod === undefined) throw noEtcd(`Node ${node} has no Pod that leads to a member of etcd`);
        return pod;
      },
    };
    return await work({ cluster, way, servers: nodes.map((node) => serverOf(node, machines)) });
  } finally {
    await connection.close();
  }
};
