import { Secret } from "@capstan/contract";
import { connect, createClient } from "@capstan/kube";
import { issueCertificate } from "@capstan/pki";
import {
  initializeNode,
  labelNode,
  registerNode,
  skipsCloudController,
  startKubelet,
  type NodeFacts,
} from "../node/kubelet.ts";
import type { MachineContext } from "../node/machine-context.ts";
import { reportStaticPods } from "../node/static-pods.ts";
import { agentKubeletConfPath, saveNode } from "../node/saved-node.ts";
import type { WorkloadCluster } from "../workload/workload-cluster.ts";
import { type Distribution, serviceError } from "./distribution.ts";
import { type NodeConfig, readConfig, registrationOf, textOf } from "./node-config.ts";
import { networkFolderOf, startOwnNetwork } from "./network-plugins.ts";
import { registerWith } from "./registration.ts";
import { startServer } from "./server.ts";

const serverLabels = (minor: number): readonly string[] => [
  "node-role.kubernetes.io/control-plane=true",
  "node-role.kubernetes.io/etcd=true",
  ...(minor < 34 ? ["node-role.kubernetes.io/master=true"] : []),
];

/** The Node registers with a certificate of its own, signed by the authority of clients. */
const register = async (machine: MachineContext, cluster: WorkloadCluster, facts: NodeFacts): Promise<void> => {
  const material = cluster.registration?.material;
  if (material === undefined) throw serviceError("the cluster is gone");
  const { certificate, key } = await issueCertificate(material.clientAuthority ?? material.authority, {
    now: machine.clock.now(),
    commonName: `system:node:${facts.registration.name}`,
    organizations: ["system:nodes"],
    usages: ["client"],
    algorithm: "ECDSA-P256",
  });
  const connection = connect({
    url: `https://127.0.0.1:${cluster.port}`,
    ca: material.authority.certificate,
    clientCertificate: certificate,
    clientKey: new Secret(key),
    serverName: "kubernetes",
    clock: machine.clock,
    connections: 1,
  });
  try {
    await registerNode(createClient(connection), facts, machine);
  } finally {
    await connection.close();
  }
};

/**
 * The provider id of the distribution's own controller, which is a part of its servers; on a lenient machine that of the cloud's, where the
 * kubelet waits for one.
 */
const initialize = async (
  machine: MachineContext,
  { name }: Distribution,
  place: { readonly cluster: WorkloadCluster; readonly config: NodeConfig; readonly facts: NodeFacts },
): Promise<void> => {
  const { cluster, config, facts } = place;
  const { lenient, request, signal } = machine;
  const isClouds = skipsCloudController(facts, machine);
  // Where no cloud knows the machine, another user has to say who it is.
  if (isClouds && request.providerID === "") return;
  const isOwn = lenient
    ? config["disable-cloud-controller"] !== true
    : cluster.registration?.hasCloudController === true;
  if (!isClouds && !isOwn) return;
  const providerID = isClouds ? request.providerID : `${name}://${facts.registration.name}`;
  await initializeNode(cluster.admin, facts.registration.name, { providerID, signal });
};

/** Starts the service of a server or an agent: the cluster, and the machine's Node in it. Throws `guest.service_failed`. */
export const startService = async (
  machine: MachineContext,
  distribution: Distribution,
  installed: { readonly role: "agent" | "server"; readonly version: string; readonly settings: NodeConfig },
): Promise<void> => {
  const { role, version } = installed;
  const config = { ...readConfig(machine, distribution), ...installed.settings };
  const isServer = role === "server";
  const server = textOf(config["server"]);
  if (!isServer && server === "") throw serviceError("--server is required");
  const registration = registrationOf(config, machine, [`node.kubernetes.io/instance-type=${distribution.name}`]);
  const { annotations, cluster } = isServer
    ? await startServer(machine, distribution, config, registration.name)
    : {
        ...(await registerWith(machine, distribution, { server, token: textOf(config["token"]), role })),
        annotations: {},
      };
  const { registration: servers } = cluster;
  if (servers === undefined) throw serviceError("the cluster is gone");
  const networkFolder = networkFolderOf(distribution, config, servers);
  startOwnNetwork(machine, distribution, servers, networkFolder);
  const facts: NodeFacts = {
    networkFolder,
    manifestFolder: `${textOf(config["data-dir"]) || distribution.dataDirectory}/agent/pod-manifests`,
    registration,
    address: machine.request.address,
    hostname: machine.hostname,
    controlPlane: isServer,
    kubeletVersion: version,
    machineID: machine.request.id,
    ...(!isServer && { apiServer: new URL(server).host }),
  };
  await register(machine, cluster, facts);
  const authority = servers.material.authority.certificate;
  saveNode(machine.disk, { ...facts, authority }, agentKubeletConfPath);
  startKubelet(machine, authority, facts);
  if (isServer) {
    const labels = Object.fromEntries(
      serverLabels(Number(version.split(".", 2)[1])).map((label) => label.split("=", 2)),
    ) as Readonly<Record<string, string>>;
    await labelNode(cluster.admin, facts.registration.name, { labels, annotations, signal: machine.signal });
    if (distribution.hasStaticPods && machine.etcd !== undefined) {
      await reportStaticPods(cluster.admin, facts, { ...machine, components: ["etcd"] });
    }
  }
  await initialize(machine, distribution, { cluster, config, facts });
  machine.console.print(distribution.name, `${role} of ${version} is running as Node ${facts.registration.name}`);
};
