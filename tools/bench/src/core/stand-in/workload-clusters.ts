import { type ApiServer, createApiServer } from "@capstan/apiserver";
import { isCapstanError, Label, rfc3339, Taint } from "@capstan/contract";
import { type Endpoint, NodeResource } from "@capstan/contract/wire";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import { type CertificateAndKey } from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";

/** The API server of one workload cluster, which has Nodes and what is written to it, and no controllers. */
interface WorkloadCluster {
  readonly server: ApiServer;
  readonly client: Client;
}

const clientOf = async (server: ApiServer): Promise<Client> => {
  const access = await loadKubeconfig({ text: await server.adminKubeconfig() });
  return createClient(connect({ access, clock: systemClock }));
};

const condition = (type: string, status: "True" | "False") => {
  const now = rfc3339(systemClock.now());
  return { type, status, reason: "Kubelet", message: "", lastHeartbeatTime: now, lastTransitionTime: now };
};

const nodeOf = (name: string, providerID: string, isControlPlane: boolean): KubeObject => {
  const role = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };
  const capacity = { cpu: "4", memory: "8Gi", pods: "110" };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux" } },
    spec: { providerID, taints: [Taint.uninitialized, ...(isControlPlane ? [role] : [])] },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [
        ...["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => condition(type, "False")),
        condition("Ready", "True"),
      ],
      nodeInfo: {
        machineID: name,
        systemUUID: name,
        bootID: name,
        kernelVersion: "6.1.0",
        osImage: "Linux",
        containerRuntimeVersion: "containerd://2.0.0",
        kubeletVersion: "v1.34.0",
        kubeProxyVersion: "",
        operatingSystem: "linux",
        architecture: "amd64",
      },
    },
  };
};

/** The workload clusters, each by its own API server on the loopback, under the authority that the user brought. */
export class WorkloadClusters {
  readonly #clusters = new Map<string, WorkloadCluster>();

  async start(names: readonly string[], certificateAuthority: CertificateAndKey): Promise<void> {
    for (const name of names) {
      const server = createApiServer({
        clock: systemClock,
        random: cryptoRandom,
        certificateAuthority,
        extensions: [],
      });
      await server.start();
      this.#clusters.set(name, { server, client: await clientOf(server) });
    }
  }

  endpoint(name: string): Endpoint {
    const { hostname, port } = new URL(this.#cluster(name).server.url);
    return { host: hostname, port: Number(port) };
  }

  /** A machine has started its kubelet. */
  async join(machine: KubeObject, providerID: string): Promise<void> {
    const { client } = this.#cluster(machine.metadata.labels?.[Label.clusterName] ?? "");
    const isControlPlane = machine.metadata.labels?.[Label.controlPlane] !== undefined;
    try {
      await client.create(NodeResource, nodeOf(machine.metadata.name ?? "", providerID, isControlPlane));
    } catch (error) {
      if (!isCapstanError(error, "kube.already_exists")) throw error;
    }
  }

  #cluster(name: string): WorkloadCluster {
    const found = this.#clusters.get(name);
    if (found === undefined) throw new Error(`there is no workload cluster ${name}`);
    return found;
  }
}
