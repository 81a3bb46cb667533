import assert from "node:assert/strict";
import { duplexPair, type Duplex } from "node:stream";
import { createApiServer, type ApiServer } from "@capstan/apiserver";
import { CapstanError, isCapstanError, SecretPurpose } from "@capstan/contract";
import { ConfigMapResource, NodeResource, machine as machineFields } from "@capstan/contract/wire";
import { EtcdCluster, serveEtcd, type EtcdServer } from "@capstan/guest/etcd";
import { findClusterSecret } from "@capstan/kit/bootstrap";
import type { WorkloadAccount, WorkloadCluster, WorkloadClusters } from "@capstan/kit/workload";
import {
  connect,
  createCache,
  createClient,
  loadKubeconfig,
  type Client,
  type Connection,
  type Informer,
} from "@capstan/kube";
import { keyText, type ObjectKey } from "@capstan/kube-values";
import { issueCertificate } from "@capstan/pki";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { permittedClient, recentClock, seededRandom } from "@capstan/testing";

const Pod = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });
const ClusterRoleBinding = resource({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});
const namespace = "kube-system";
const components = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;
const clock = recentClock();
const call = { signal: new AbortController().signal };

const ready = [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }];

const ifMissing = async (make: () => Promise<unknown>): Promise<void> => {
  try {
    await make();
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
};

/** One workload cluster: an API server, the static Pods of its machines, and the members of etcd in them. */
class Workload {
  readonly etcd = new EtcdCluster({ random: seededRandom(3) });
  readonly client: Client;
  readonly nodes: Informer;
  readonly #server: ApiServer;
  readonly #connection: Connection;
  readonly #members = new Map<string, { readonly id: string; readonly server: EtcdServer }>();
  readonly #versions = new Set<string | undefined>();

  private constructor(server: ApiServer, connection: Connection) {
    this.#server = server;
    this.#connection = connection;
    this.client = createClient(connection);
    this.nodes = createCache({ connection, random: seededRandom(1) }).informer(NodeResource);
  }

  static async start(): Promise<Workload> {
    let workload: Workload | undefined;
    const server = createApiServer({
      clock,
      random: seededRandom(5),
      extensions: [],
      connectPod: async (pod) => {
        if (workload === undefined) throw new Error("connection refused");
        await workload.#checkPermission();
        return workload.#accept(pod);
      },
    });
    await server.start();
    const connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
    workload = new Workload(server, connection);
    const data = { ClusterConfiguration: "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n" };
    const metadata = { namespace, name: "kubeadm-config" };
    await workload.client.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
    return workload;
  }

  /** A machine has joined, with all that kubeadm starts on it. */
  async join(
    node: string,
    version: string | undefined,
    authority: { readonly certificate: string; readonly key: string },
  ): Promise<void> {
    this.#versions.add(version);
    await this.#show(NodeResource, { name: node, labels: { "node-role.kubernetes.io/control-plane": "" } }, {});
    for (const component of components) {
      const metadata = { namespace, name: `${component}-${node}`, labels: { component, tier: "control-plane" } };
      await this.#show(Pod, metadata, { nodeName: node, containers: [{ name: component, image: component }] });
    }
    if (this.#members.has(node)) return;
    const { id } = this.etcd.add(node, "192.0.2.1");
    const now = clock.now();
    const options = { now, commonName: node, usages: ["server", "client"], algorithm: "ECDSA-P256" } as const;
    const own = await issueCertificate(authority, options);
    const server = serveEtcd(this.etcd, id, { authority: authority.certificate, ...own });
    this.#members.set(node, { id, server });
    this.etcd.started(id, () => server.close());
  }

  /** A machine is gone, with what ran on it. */
  async leave(node: string): Promise<void> {
    for (const component of components) {
      await this.client.delete(Pod, { namespace, name: `${component}-${node}` }, { gracePeriodSeconds: 0 });
    }
    await this.client.delete(NodeResource, { name: node });
    const member = this.#members.get(node);
    if (member === undefined) return;
    this.#members.delete(node);
    this.etcd.stopped(member.id);
    member.server.close();
  }

  assertMembersFollow(cluster: string): void {
    if (this.#members.size === 0) return;
    const members = this.etcd.members.map(({ name }) => name).toSorted();
    assert.deepEqual(members, [...this.#members.keys()].toSorted(), `members of etcd of ${cluster}`);
  }

  async stop(): Promise<void> {
    for (const { server } of this.#members.values()) server.close();
    await this.#connection.close();
    await this.#server.stop();
  }

  async #show(kind: Resource, metadata: KubeObject["metadata"], spec: object): Promise<void> {
    await ifMissing(() => this.client.create(kind, { apiVersion: "v1", kind: kind.kind, metadata, spec }));
    const status = { phase: "Running", conditions: ready };
    const key: ObjectKey = { name: metadata.name ?? "", ...(kind.namespaced ? { namespace } : {}) };
    await this.client.patch(kind, key, { type: "merge", body: { status } }, { subresource: "status" });
  }

  /** API servers of a kubeadm that came later than the cluster reach kubelets by a binding that only a newer one would have made. */
  async #checkPermission(): Promise<void> {
    const name = "kubeadm:apiserver-kubelet-client";
    const isNeeded = this.#versions.size > 1;
    if (isNeeded && (await this.client.find(ClusterRoleBinding, { name })) === undefined) {
      const what = "verb=create, resource=nodes, subresource(s)=[proxy]";
      throw new Error(`Forbidden (user=kube-apiserver-kubelet-client, ${what})`);
    }
  }

  #accept({ metadata }: KubeObject): Duplex {
    const member = this.#members.get((metadata.name ?? "").replace(/^etcd-/, ""));
    if (member === undefined) throw new Error("connection refused");
    const [here, there] = duplexPair();
    member.server.accept(there);
    return here;
  }
}

const unreachable = (cluster: ObjectKey): CapstanError =>
  new CapstanError({ code: "workload.unreachable", reason: "WorkloadClusterUnreachable", message: keyText(cluster) });

const clusterOf = (machine: KubeObject): Required<ObjectKey> => ({
  namespace: machine.metadata.namespace ?? "",
  name: machineFields.clusterName.get(machine) ?? "",
});

const nodeOf = ({ metadata }: KubeObject): string => `node-${metadata.name}`;

/** Workload clusters by their Clusters: each begins with its first machine. */
export class WorkloadWorld {
  /** The management API, of the manager that was started last. */
  management: Client | undefined;
  readonly #workloads = new Map<string, Workload>();

  readonly joined = async (machine: KubeObject): Promise<void> => {
    const key = clusterOf(machine);
    const metadata = key;
    const cluster: KubeObject = { apiVersion: "", kind: "Cluster", metadata };
    if (this.management === undefined) throw new Error("no manager was started");
    const secret = await findClusterSecret({ client: this.management, cluster, call }, SecretPurpose.etcd);
    const { "tls.crt": certificate = "", "tls.key": privateKey = "" } = secret ?? {};
    const workload = this.#workloads.get(keyText(key)) ?? (await Workload.start());
    this.#workloads.set(keyText(key), workload);
    await workload.join(nodeOf(machine), machineFields.version.get(machine), { certificate, key: privateKey });
  };

  readonly gone = async (machine: KubeObject): Promise<void> =>
    this.#workloads.get(keyText(clusterOf(machine)))?.leave(nodeOf(machine));

  /** What managers reach them by. */
  readonly clusters: WorkloadClusters = this.#clustersAs();

  /** Every member of every etcd is on a machine that is there, except where all machines went at once. */
  assertMembersFollow(): void {
    for (const [cluster, workload] of this.#workloads) workload.assertMembersFollow(cluster);
  }

  async stop(): Promise<void> {
    for (const workload of this.#workloads.values()) await workload.stop();
    this.#workloads.clear();
  }

  /** The same for an account, which may do what it says. */
  #clustersAs(account?: WorkloadAccount): WorkloadClusters {
    const connection = (cluster: ObjectKey): WorkloadCluster | undefined => {
      const found = this.#connection(cluster);
      return found === undefined || account === undefined
        ? found
        : { ...found, client: permittedClient(found.client, account) };
    };
    return {
      connection,
      get: (cluster) => {
        const found = connection(cluster);
        if (found === undefined) throw unreachable(cluster);
        return found;
      },
      as: (other) => this.#clustersAs(other),
      state: (cluster) => ({
        connected: connection(cluster) !== undefined,
        lastProbeSuccess: undefined,
        consecutiveFailures: 0,
        message: "",
      }),
      lastProbeSuccess: () => undefined,
      subscribe: () => () => undefined,
    };
  }

  #connection(cluster: ObjectKey): WorkloadCluster | undefined {
    const workload = this.#workloads.get(keyText(cluster));
    if (workload === undefined) return undefined;
    return { client: workload.client, nodes: workload.nodes };
  }
}
