import { isIPv4 } from "node:net";
import type { KubeObject } from "@capstan/schema";

const namespace = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** Namespaces every server has. */
export const bootstrapNamespaces: readonly KubeObject[] = [
  "default",
  "kube-system",
  "kube-public",
  "kube-node-lease",
].map(namespace);

const priorityClass = (name: string, value: number, description: string): KubeObject => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name },
  value,
  description,
});

/** Priority classes every server has. */
export const bootstrapPriorityClasses: readonly KubeObject[] = [
  priorityClass("system-node-critical", 2_000_001_000, "For Pods that a node cannot do without."),
  priorityClass("system-cluster-critical", 2_000_000_000, "For Pods that the cluster cannot do without."),
];

/** Returns the ConfigMap with which servers behind this one authenticate its clients. */
export const clientAuthority = (certificates: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "extension-apiserver-authentication", namespace: "kube-system" },
  data: { "client-ca-file": certificates },
});

const isLoopback = (address: string): boolean => address.startsWith("127.");
const portName = "https";

/**
 * The Service by which Pods reach the server, at `clusterIP`, and its addresses. A server that only this machine reaches has no
 * addresses to tell.
 */
export const ownService = (server: {
  readonly host: string;
  readonly port: number;
  readonly clusterIP: string;
}): readonly KubeObject[] => {
  const metadata = { name: "kubernetes", namespace: "default" };
  const { host, port, clusterIP } = server;
  const service: KubeObject = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...metadata, labels: { component: "apiserver", provider: "kubernetes" } },
    spec: { type: "ClusterIP", clusterIP, ports: [{ name: portName, protocol: "TCP", port: 443, targetPort: port }] },
  };
  if (!isIPv4(host) || isLoopback(host) || host === "0.0.0.0") {
    return [service];
  }
  const ports = [{ name: portName, port, protocol: "TCP" }];
  const endpoints: KubeObject = {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { ...metadata, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip: host }], ports }],
  };
  const slice: KubeObject = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...metadata, labels: { "kubernetes.io/service-name": metadata.name } },
    addressType: "IPv4",
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports,
  };
  return [service, endpoints, slice];
};
