import { duplexPair, type Duplex } from "node:stream";
import { SecretPurpose } from "@capstan/contract";
import { machine as machineFields } from "@capstan/contract/wire";
import { type EtcdCluster, serveEtcd, type EtcdServer } from "@capstan/guest/etcd";
import { findClusterSecret } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import { issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { resource, type KubeObject } from "@capstan/schema";

export const Pod = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });

/** The Pod that leads to the member on a Node: of RKE2 its static Pod, of k3s a proxy. */
export const podOn = (node: string, distribution: "k3s" | "rke2"): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    namespace: "kube-system",
    name: distribution === "rke2" ? `etcd-${node}` : `etcd-proxy-${node}`,
    labels: distribution === "rke2" ? { component: "etcd", tier: "control-plane" } : { app: "etcd-proxy" },
  },
  spec: { nodeName: node, containers: [{ name: "etcd", image: "etcd" }] },
});

/** Serves the members of one cluster's etcd to those who come through the Pods of their Nodes. */
export class EtcdPort {
  readonly #servers = new Map<string, EtcdServer>();

  /** Serves a member with a certificate of the cluster's own authority, which the control plane has made. */
  async open(etcd: EtcdCluster, at: { id: string; node: string; machine: KubeObject }, management: Client) {
    const { namespace = "" } = at.machine.metadata;
    const metadata = { namespace, name: machineFields.clusterName.get(at.machine) ?? "" };
    const cluster: KubeObject = { apiVersion: "", kind: "Cluster", metadata };
    const call = { signal: new AbortController().signal };
    const secret = await findClusterSecret({ client: management, cluster, call }, SecretPurpose.etcd);
    const { "tls.crt": certificate = "", "tls.key": key = "" } = secret ?? {};
    const now = systemClock.now();
    const usages = ["server", "client"] as const;
    const options = { now, commonName: at.node, usages, algorithm: "ECDSA-P256" } as const;
    const own = await issueCertificate({ certificate, key }, options);
    this.#servers.set(at.node, serveEtcd(etcd, at.id, { authority: certificate, ...own }));
  }

  close(node: string): void {
    this.#servers.get(node)?.close();
    this.#servers.delete(node);
  }

  connect({ spec }: KubeObject & { readonly spec?: { readonly nodeName?: string } }): Duplex {
    const server = this.#servers.get(spec?.nodeName ?? "");
    if (server === undefined) throw new Error("connection refused");
    const [here, there] = duplexPair();
    server.accept(there);
    return here;
  }

  closeAll(): void {
    for (const node of this.#servers.keys()) this.close(node);
  }
}
