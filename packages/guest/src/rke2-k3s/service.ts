import { Secret } from "@capstan/contract";
import { connect, createClient } from "@capstan/kube";
import { issueCertificate } from "@capstan/pki";
import {
  initializeNode,
  labelNode,
  registerNode,
  startKubelet,
  usesCloudController,
  type NodeFacts,
} from "../node/kubelet.ts";
import type { MachineContext } from "../node/machine-context.ts";
import { agentKubeletConfPath, saveNode } from "../node/saved-node.ts";
import type { WorkloadCluster } from "../workload/workload-cluster.ts";
import { type Distribution, serviceError } from "./distribution.ts";
import { type NodeConfig, readConfig, registrationOf, textOf } from "./node-config.ts";
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

/** The provider id: of the cloud's controller, of the kubelet's arguments, or of the distribution's own controller. */
const initialize = async (
  machine: MachineContext,
  { name }: Distribution,
  place: { readonly cluster: WorkloadCluster; readonly config: NodeConfig; readonly facts: NodeFacts },
): Promise<void> => {
  const { cluster, config, facts } = place;
  const isExternal = usesCloudController(facts);
  // Where no cloud knows the machine, somebody else has to say who it is.
  if (isExternal && machine.request.providerID === "") return;
  if (!isExternal && config["disable-cloud-controller"] === true) return;
  const providerID = isExternal ? machine.request.providerID : `${name}://${facts.registration.name}`;
  await initializeNode(cluster.admin, facts.registration.name, { providerID, signal: machine.signal });
};

/** Starts the service of a server or an agent: the cluster, and the machine's Node in it. Throws `guest.service_failed`. */
export const startService = async (
  machine: MachineContext,
  distribution: Distribution,
  installed: { readonly role: "agent" | "server"; readonly version: string },
): Promise<void> => {
  const { role, version } = installed;
  const config = readConfig(machine, distribution);
  const isServer = role === "server";
  const server = textOf(config["server"]);
  if (!isServer && server === "") throw serviceError("--server is required");
  const cluster = isServer
    ? await startServer(machine, distribution, config)
    : (await registerWith(machine, distribution, { server, token: textOf(config["token"]), role })).cluster;
  const facts: NodeFacts = {
    registration: registrationOf(config, machine, [`node.kubernetes.io/instance-type=${distribution.name}`]),
    address: machine.request.address,
    hostname: machine.hostname,
    controlPlane: isServer,
    kubeletVersion: version,
    machineID: machine.request.id,
  };
  await register(machine, cluster, facts);
  const authority = cluster.registration?.material.authority.certificate ?? "";
  saveNode(machine.disk, { ...facts, authority }, agentKubeletConfPath);
  startKubelet(machine, authority, facts);
  if (isServer) {
    const labels = Object.fromEntries(
      serverLabels(Number(version.split(".", 2)[1])).map((label) => label.split("=", 2)),
    ) as Readonly<Record<string, string>>;
    await labelNode(cluster.admin, facts.registration.name, { labels, signal: machine.signal });
  }
  await initialize(machine, distribution, { cluster, config, facts });
  machine.console.print(distribution.name, `${role} of ${version} is running as Node ${facts.registration.name}`);
};
