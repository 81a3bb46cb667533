import assert from "node:assert/strict";
import { type ApiServer, createApiServer } from "@capstan/apiserver";
import { isCapstanError } from "@capstan/contract";
import { NodeResource, SecretResource } from "@capstan/contract/wire";
import { EtcdCluster, managedEtcd } from "@capstan/guest/etcd";
import {
  type Client,
  type Connection,
  connect,
  createCache,
  createClient,
  type Informer,
  loadKubeconfig,
} from "@capstan/kube";
import { createManager, systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { EtcdPort, Pod, podOn } from "./etcd-port.ts";
import { seededRandom, type StandingWorkload, WorkloadWorld } from "@capstan/testing";

const ifMissing = async (make: () => Promise<unknown>): Promise<void> => {
  try {
    await make();
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
};

const nodeOf = ({ metadata }: KubeObject): string => `node-${metadata.name}`;

/** One cluster of servers: an API server, their Nodes, and the members of etcd inside them, which they look after by annotations. */
export class Servers implements StandingWorkload {
  readonly etcd = new EtcdCluster({ random: seededRandom(3) });
  readonly client: Client;
  readonly nodes: Informer;
  readonly #distribution: "k3s" | "rke2";
  readonly #server: ApiServer;
  readonly #connection: Connection;
  readonly #members = new Map<string, string>();
  readonly #port: EtcdPort;
  readonly #stop = new AbortController();
  readonly #controllers: Promise<void>;

  private constructor(distribution: "k3s" | "rke2", port: EtcdPort, server: ApiServer, connection: Connection) {
    this.#distribution = distribution;
    this.#port = port;
    this.#server = server;
    this.#connection = connection;
    this.client = createClient(connection);
    this.nodes = createCache({ connection, random: seededRandom(1) }).informer(NodeResource);
    const manager = createManager({ connection, clock: systemClock, random: seededRandom(2) });
    manager.add(managedEtcd(this.etcd));
    this.#controllers = manager.run({ signal: this.#stop.signal }).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) throw error;
    });
  }

  static async start(distribution: "k3s" | "rke2"): Promise<Servers> {
    const port = new EtcdPort();
    const server = createApiServer({
      clock: systemClock,
      random: seededRandom(5),
      extensions: [],
      connectPod: (pod) => Promise.resolve(port.connect(pod)),
    });
    await server.start();
    const access = await loadKubeconfig({ text: await server.adminKubeconfig() });
    return new Servers(distribution, port, server, connect({ access, clock: systemClock }));
  }

  async join(machine: KubeObject, management: Client): Promise<void> {
    const name = nodeOf(machine);
    if (!this.#members.has(name)) {
      const member = `${name}-0a1b2c3d`;
      const { id } = this.etcd.add(member, "192.0.2.1");
      this.etcd.started(id, () => undefined);
      this.#members.set(name, id);
      await this.#port.open(this.etcd, { id, node: name, machine }, management);
    }
    const metadata = {
      name,
      labels: { "node-role.kubernetes.io/control-plane": "true", "node-role.kubernetes.io/etcd": "true" },
      annotations: { [`etcd.${this.#distribution}.cattle.io/node-name`]: `${name}-0a1b2c3d` },
    };
    await ifMissing(() => this.client.create(NodeResource, { apiVersion: "v1", kind: "Node", metadata }));
    await ifMissing(() => this.client.create(Pod, podOn(name, this.#distribution)));
    await this.#say(name, "True");
    const serving = { namespace: "kube-system", name: `${this.#distribution}-serving` };
    await ifMissing(() => this.client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata: serving }));
  }

  /** The Node of a server that can no longer be reached says nothing. */
  async reach(machine: KubeObject, reachable: boolean): Promise<void> {
    const name = nodeOf(machine);
    if (this.#members.has(name)) await this.#say(name, reachable ? "True" : "Unknown");
  }

  async fail(machine: KubeObject): Promise<void> {
    const name = nodeOf(machine);
    this.etcd.stopped(this.#members.get(name) ?? "");
    this.#port.close(name);
    await this.#say(name, "False");
  }

  async leave(machine: KubeObject): Promise<void> {
    const name = nodeOf(machine);
    const { metadata } = podOn(name, this.#distribution);
    const pod = { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
    await this.client.delete(Pod, pod, { gracePeriodSeconds: 0 });
    await this.client.delete(NodeResource, { name });
    this.#port.close(name);
    const id = this.#members.get(name);
    if (id !== undefined) this.etcd.stopped(id);
    this.#members.delete(name);
  }

  /** Every member of etcd is on a machine that is there, unless all machines went at once. */
  assertMembersFollow(cluster: string): void {
    if (this.#members.size === 0) return;
    const members = this.etcd.members.map(({ id }) => id).toSorted();
    assert.deepEqual(members, [...this.#members.values()].toSorted(), `members of etcd of ${cluster}`);
  }

  async #say(name: string, ready: "False" | "True" | "Unknown"): Promise<void> {
    const conditions = [{ type: "Ready", status: ready, lastTransitionTime: "2026-01-01T00:00:00Z" }];
    const patch = { type: "merge", body: { status: { conditions } } } as const;
    await this.client.patch(NodeResource, { name }, patch, { subresource: "status" });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#controllers;
    this.#port.closeAll();
    await this.#connection.close();
    await this.#server.stop();
  }
}

export const serversWorld = (distribution: "k3s" | "rke2"): WorkloadWorld<Servers> =>
  new WorkloadWorld(() => Servers.start(distribution));

export const assertMembersFollow = ({ workloads }: WorkloadWorld<Servers>): void => {
  for (const [cluster, workload] of workloads) workload.assertMembersFollow(cluster);
};
