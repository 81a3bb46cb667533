import assert from "node:assert/strict";
import { duplexPair, type Duplex } from "node:stream";
import { createApiServer, type ApiServer } from "@capstan/apiserver";
import { isCapstanError, SecretPurpose } from "@capstan/contract";
import { ConfigMapResource, NodeResource, machine as machineFields } from "@capstan/contract/wire";
import { EtcdCluster, serveEtcd, type EtcdServer } from "@capstan/guest/etcd";
import { findClusterSecret } from "@capstan/kit/bootstrap";
import {
  connect,
  createCache,
  createClient,
  loadKubeconfig,
  type Client,
  type Connection,
  type Informer,
} from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import { type CertificateAndKey, issueCertificate } from "@capstan/pki";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { recentClock, seededRandom, type StandingWorkload, WorkloadWorld } from "@capstan/testing";
import { startServingPort, type ServingPort } from "./serving-port.ts";

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

/** The authority of the members, which the control plane has made. */
const etcdAuthority = async (machine: KubeObject, management: Client): Promise<CertificateAndKey> => {
  const { namespace: own = "" } = machine.metadata;
  const metadata = { namespace: own, name: machineFields.clusterName.get(machine) ?? "" };
  const cluster: KubeObject = { apiVersion: "", kind: "Cluster", metadata };
  const secret = await findClusterSecret({ client: management, cluster, call }, SecretPurpose.etcd);
  const { "tls.crt": certificate = "", "tls.key": key = "" } = secret ?? {};
  return { certificate, key };
};

/** One workload cluster: an API server, the static Pods of its machines, and the members of etcd in them. */
export class Workload implements StandingWorkload {
  readonly etcd = new EtcdCluster({ random: seededRandom(3) });
  readonly client: Client;
  readonly nodes: Informer;
  /** Nodes that no connection reaches. */
  readonly unreachable = new Set<string>();
  /** Nodes of which a member of etcd was to be reached, a name for each time. */
  readonly asked: string[] = [];
  readonly #server: ApiServer;
  readonly #connection: Connection;
  /** Shared by the API servers of all machines. */
  readonly #serving: ServingPort;
  readonly #members = new Map<string, { readonly id: string; readonly server: EtcdServer }>();
  readonly #versions = new Set<string | undefined>();

  private constructor(server: ApiServer, connection: Connection, serving: ServingPort) {
    this.#server = server;
    this.#serving = serving;
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
    workload = new Workload(server, connection, await startServingPort(clock.now()));
    const data = { ClusterConfiguration: "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n" };
    const metadata = { namespace, name: "kubeadm-config" };
    await workload.client.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
    return workload;
  }

  /** A machine has joined, with all that kubeadm starts on it. */
  async join(machine: KubeObject, management: Client): Promise<void> {
    const node = nodeOf(machine);
    this.#versions.add(machineFields.version.get(machine));
    await this.#show(NodeResource, { name: node, labels: { "node-role.kubernetes.io/control-plane": "" } }, {});
    for (const component of components) {
      const metadata = { namespace, name: `${component}-${node}`, labels: { component, tier: "control-plane" } };
      await this.#show(Pod, metadata, { nodeName: node, containers: [{ name: component, image: component }] });
    }
    if (this.#members.has(node)) return;
    const { id } = this.etcd.add(node, "192.0.2.1");
    const now = clock.now();
    const options = { now, commonName: node, usages: ["server", "client"], algorithm: "ECDSA-P256" } as const;
    const authority = await etcdAuthority(machine, management);
    const own = await issueCertificate(authority, options);
    const server = serveEtcd(this.etcd, id, { authority: authority.certificate, ...own });
    this.#members.set(node, { id, server });
    this.etcd.started(id, () => server.close());
  }

  /** A machine is gone, with what ran on it. */
  async leave(machine: KubeObject): Promise<void> {
    const node = nodeOf(machine);
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

  async reach(machine: KubeObject, reachable: boolean): Promise<void> {
    if (reachable) this.unreachable.delete(nodeOf(machine));
    else this.unreachable.add(nodeOf(machine));
  }

  async fail(machine: KubeObject): Promise<void> {
    const node = nodeOf(machine);
    const member = this.#members.get(node);
    if (member === undefined) return;
    this.etcd.stopped(member.id);
    this.unreachable.add(node);
    const conditions = [{ type: "Ready", status: "False", lastTransitionTime: "2026-01-01T00:00:00Z" }];
    const body = { status: { phase: "Running", conditions } };
    const key = { namespace, name: `etcd-${node}` };
    await this.client.patch(Pod, key, { type: "merge", body }, { subresource: "status" });
  }

  assertMembersFollow(cluster: string): void {
    if (this.#members.size === 0) return;
    const members = this.etcd.members.map(({ name }) => name).toSorted();
    assert.deepEqual(members, [...this.#members.keys()].toSorted(), `members of etcd of ${cluster}`);
  }

  async stop(): Promise<void> {
    for (const { server } of this.#members.values()) server.close();
    await this.#serving.stop();
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
    const [, component, node = ""] = /^(etcd|kube-apiserver)-(.*)$/.exec(metadata.name ?? "") ?? [];
    const member = this.#members.get(node);
    if (component === "etcd") this.asked.push(node);
    if (member === undefined || this.unreachable.has(node)) throw new Error("connection refused");
    if (component === "kube-apiserver") return this.#serving.connect();
    const [here, there] = duplexPair();
    member.server.accept(there);
    return here;
  }
}

const nodeOf = ({ metadata }: KubeObject): string => `node-${metadata.name}`;

/** The workload clusters of kubeadm control planes. */
export const kubeadmWorld = (): WorkloadWorld<Workload> => new WorkloadWorld(() => Workload.start());

/** Every member of every etcd is on a machine that is there, except where all machines went at once. */
export const assertMembersFollow = ({ workloads }: WorkloadWorld<Workload>): void => {
  for (const [cluster, workload] of workloads) workload.assertMembersFollow(cluster);
};
