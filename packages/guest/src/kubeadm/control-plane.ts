import { firstServiceAddress } from "@capstan/apiserver";
import { type CertificateAndKey, issueCertificate } from "@capstan/pki";
import type { MachineContext } from "../node/machine-context.ts";
import { toLoopback } from "../network/node-ports.ts";
import { bindsKubeletClient } from "../workload/kubelet-rights.ts";
import type { WorkloadCluster } from "../workload/workload-cluster.ts";
import type { NodeRegistration } from "../node/node-registration.ts";
import { writeKubeconfigs } from "./admin-kubeconfig.ts";
import { object, type Json } from "./configuration.ts";
import { authorityOn, type PkiPlace, readPki } from "./pki-directory.ts";
import { minorOf } from "./preflight/version.ts";

/** Left on the disk of a control-plane machine, so that a restart finds out what to serve. */
const manifestPath = "/etc/kubernetes/manifests/kube-apiserver.yaml";

/** Writes the other files that kubeadm leaves: static Pods (etcd writes its own manifest) and the data of etcd. */
const leaveFiles = ({ disk }: MachineContext, { etcdDirectory }: ServedControlPlane): void => {
  for (const name of ["kube-controller-manager", "kube-scheduler"]) {
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: kube-system}\n`;
    disk.write(`/etc/kubernetes/manifests/${name}.yaml`, pod, { permissions: "0600" });
  }
  if (etcdDirectory !== undefined) disk.write(`${etcdDirectory}/member/snap/db`, "", { permissions: "0600" });
};

export interface ServedControlPlane extends PkiPlace {
  readonly externalEtcd: boolean;
  /** Where etcd keeps its data, unless it is external. */
  readonly etcdDirectory?: string;
  readonly bindPort: number;
  /** `host:port` the cluster is reached at. */
  readonly endpoint: string;
  readonly serviceSubnet: string;
  readonly dnsDomain: string;
  readonly certSANs: readonly string[];
  readonly kubernetesVersion: string;
}

/** Certificates by which the parts of a control plane know each other; those that are there already stay. */
const leaveCertificates = async (
  { clock, disk }: MachineContext,
  served: ServedControlPlane,
  serving: CertificateAndKey,
): Promise<void> => {
  const client = (name: string, commonName: string, organizations?: readonly string[]) =>
    issueCertificate(authorityOn(disk, served, name), {
      now: clock.now(),
      commonName,
      ...(organizations !== undefined && { organizations }),
      usages: ["client"],
      algorithm: "ECDSA-P256",
    });
  const made = {
    apiserver: serving,
    "apiserver-kubelet-client": await client("ca", "kube-apiserver-kubelet-client", ["kubeadm:cluster-admins"]),
    "front-proxy-client": await client("front-proxy-ca", "front-proxy-client"),
  };
  for (const [name, { certificate, key }] of Object.entries(made)) {
    const base = `${served.certificatesDir}/${name}`;
    if (disk.stat(`${base}.crt`) !== undefined) continue;
    disk.write(`${base}.crt`, certificate);
    disk.write(`${base}.key`, key, { permissions: "0600" });
  }
};

export const isControlPlane = (machine: MachineContext): boolean => machine.disk.stat(manifestPath) !== undefined;

export const readServed = (machine: MachineContext): ServedControlPlane =>
  JSON.parse(machine.disk.text(manifestPath) ?? "{}") as ServedControlPlane;

/** Starts (or joins) the API server with the certificates on this machine's disk, on the machine's own address. */
export const serveControlPlane = async (
  machine: MachineContext,
  served: ServedControlPlane,
  registration: Pick<NodeRegistration, "name">,
  options: { readonly fresh: boolean },
): Promise<WorkloadCluster> => {
  const { authority, serviceAccount } = readPki(machine.disk, served);
  const host = served.endpoint.slice(0, served.endpoint.lastIndexOf(":")).replace(/^\[|\]$/g, "");
  const names = [
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    `kubernetes.default.svc.${served.dnsDomain}`,
  ];
  const hosts = [
    registration.name,
    ...names,
    firstServiceAddress(served.serviceSubnet),
    machine.request.address,
    host,
    "127.0.0.1",
    ...served.certSANs,
  ];
  const serving = await issueCertificate(authority, {
    now: machine.clock.now(),
    commonName: "kube-apiserver",
    hosts: [...new Set(hosts)],
    usages: ["server"],
    algorithm: "ECDSA-P256",
  });
  const cluster = await machine.workloads.serve(
    machine.request.id,
    { host: machine.request.address, port: served.bindPort },
    { authority, serviceAccount, serving, serviceSubnet: served.serviceSubnet },
    { ...options, signal: machine.signal },
  );
  cluster.bindsKubeletClient ||= bindsKubeletClient(served.kubernetesVersion);
  const unlisten = cluster.ports.listen(registration.name, served.bindPort, toLoopback(cluster.port));
  machine.signal.addEventListener("abort", unlisten, { once: true });
  machine.disk.write(manifestPath, JSON.stringify(served), { permissions: "0600" });
  leaveFiles(machine, served);
  if (!machine.lenient) {
    await leaveCertificates(machine, served, serving);
    const hasSuperAdmin = options.fresh && minorOf(served.kubernetesVersion) >= 29;
    await writeKubeconfigs(machine, { endpoint: served.endpoint, authority, hasSuperAdmin });
  }
  return cluster;
};

export const servedFrom = (
  machine: MachineContext,
  clusterConfiguration: Json,
  localEndpoint: Json,
): ServedControlPlane => {
  const networking = object(clusterConfiguration["networking"]);
  const bindPort = typeof localEndpoint["bindPort"] === "number" ? localEndpoint["bindPort"] : 6443;
  const given = clusterConfiguration["controlPlaneEndpoint"];
  const endpoint = typeof given === "string" && given !== "" ? given : `${machine.request.address}:${bindPort}`;
  const certSANs = object(clusterConfiguration["apiServer"])["certSANs"];
  const etcd = object(clusterConfiguration["etcd"]);
  return {
    certificatesDir: textOr(clusterConfiguration["certificatesDir"], "/etc/kubernetes/pki"),
    externalEtcd: etcd["external"] !== undefined,
    ...(etcd["external"] === undefined && {
      etcdDirectory: textOr(object(etcd["local"])["dataDir"], "/var/lib/etcd"),
    }),
    bindPort,
    endpoint: /:\d+$/.test(endpoint) ? endpoint : `${endpoint}:${bindPort}`,
    serviceSubnet: textOr(networking["serviceSubnet"], "10.96.0.0/12"),
    dnsDomain: textOr(networking["dnsDomain"], "cluster.local"),
    certSANs: Array.isArray(certSANs) ? certSANs.map(String) : [],
    kubernetesVersion: textOr(clusterConfiguration["kubernetesVersion"], ""),
  };
};

const textOr = (value: unknown, fallback: string): string =>
  typeof value === "string" && value !== "" ? value : fallback;
