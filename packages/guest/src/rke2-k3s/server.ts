import { firstServiceAddress } from "@capstan/apiserver";
import { forwardTcp } from "@capstan/simulation/network";
import {
  createCertificateAuthority,
  createServiceAccountKeys,
  issueCertificate,
  type CertificateAndKey,
} from "@capstan/pki";
import { Secret } from "../kinds/workload-kinds.ts";
import { toLoopback } from "../network/node-ports.ts";
import type { MachineContext } from "../node/machine-context.ts";
import type { ServerRegistration } from "../workload/server-registration.ts";
import type { WorkloadCluster } from "../workload/workload-cluster.ts";
import { createOnce } from "../workload/create-once.ts";
import { type Distribution, serviceError } from "./distribution.ts";
import { deployManifests } from "./deploy-manifests.ts";
import { startHelmController } from "./helm-controller.ts";
import { clusterSettings, installNetworkPlugins } from "./network-plugins.ts";
import { joinManagedEtcd, startManagedEtcd } from "./managed-etcd.ts";
import { listOf, type NodeConfig, textOf } from "./node-config.ts";
import { registerWith } from "./registration.ts";

const apiServerPort = 6443;

/** Left on the disk of a server, so that a restart finds out what to serve. */
const stateFile = "server/cred/model-state.json";

const dataDirectory = (distribution: Distribution, config: NodeConfig): string =>
  textOf(config["data-dir"]) || distribution.dataDirectory;

/** An authority on the disk; the distribution makes what is missing altogether. */
const authorityAt = async ({ clock, disk }: MachineContext, base: string): Promise<CertificateAndKey> => {
  const [certificate, key] = [disk.text(`${base}.crt`), disk.text(`${base}.key`)];
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate !== undefined) throw serviceError(`failed to read ${base}.key: no such file or directory`);
  const made = await createCertificateAuthority({ now: clock.now() });
  disk.write(`${base}.crt`, made.certificate, { permissions: "0644" });
  disk.write(`${base}.key`, made.key, { permissions: "0600" });
  return made;
};

const servingCertificate = (
  machine: MachineContext,
  authority: CertificateAndKey,
  config: NodeConfig,
  subnet: string,
) =>
  issueCertificate(authority, {
    now: machine.clock.now(),
    commonName: "kube-apiserver",
    hosts: [
      ...new Set([
        machine.hostname,
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "localhost",
        "127.0.0.1",
        machine.request.address,
        firstServiceAddress(subnet),
        ...listOf(config["tls-san"]),
      ]),
    ],
    usages: ["server"],
    algorithm: "ECDSA-P256",
  });

/** Returns the registration of the first server of a cluster, with the authorities on its disk and the token in its settings. */
const beginning = async (
  machine: MachineContext,
  distribution: Distribution,
  config: NodeConfig,
): Promise<ServerRegistration> => {
  const token = textOf(config["token"]);
  if (token === "") throw serviceError("the model takes no server without a token");
  const folder = `${dataDirectory(distribution, config)}/server/tls`;
  const authority = await authorityAt(machine, `${folder}/server-ca`);
  const clientAuthority = await authorityAt(machine, `${folder}/client-ca`);
  const etcdAuthority = await authorityAt(machine, `${folder}/etcd/server-ca`);
  const [serviceSubnet = "10.43.0.0/16"] = textOf(config["service-cidr"])
    .split(",")
    .filter((cidr) => cidr !== "");
  const serving = await servingCertificate(machine, authority, config, serviceSubnet);
  const serviceAccount = await createServiceAccountKeys();
  const agentToken = textOf(config["agent-token"]) || undefined;
  const settings = clusterSettings(distribution, config);
  return {
    token,
    agentToken,
    ...settings,
    etcdAuthority,
    material: { authority, clientAuthority, serving, serviceAccount, serviceSubnet },
  };
};

/** Serves the cluster on the machine's address, and takes registrations. */
const serve = async (
  machine: MachineContext,
  distribution: Distribution,
  registration: ServerRegistration,
  options: { readonly fresh: boolean; readonly port: number },
): Promise<WorkloadCluster> => {
  const { request, signal, workloads } = machine;
  const { fresh, port } = options;
  const listen = { host: request.address, port };
  const cluster = await workloads.serve(request.id, listen, registration.material, { fresh, signal });
  cluster.registration = registration;
  const unlisten = cluster.ports.listen(machine.hostname, port, toLoopback(cluster.port));
  signal.addEventListener("abort", unlisten, { once: true });
  if (!machine.lenient) await startHelmController(machine, cluster);
  const { registrationPort } = distribution;
  if (registrationPort === undefined) return cluster;
  const forward = await forwardTcp({ host: request.address, port: registrationPort }, () => [
    { host: "127.0.0.1", port: cluster.port },
  ]);
  signal.addEventListener("abort", () => void forward.close(), { once: true });
  return cluster;
};

const portOf = (config: NodeConfig): number => Number(config["https-listen-port"] ?? apiServerPort);

/** Kept on the disk: what this server serves when it starts again. */
interface SavedServer {
  readonly distribution: Distribution["name"];
  readonly port: number;
  readonly registration: ServerRegistration;
}

/** A Secret by which control planes see that the cluster has begun. */
const writeServingSecret = ({ admin }: WorkloadCluster, { name }: Distribution, signal: AbortSignal): Promise<void> =>
  createOnce(
    admin,
    Secret,
    {
      apiVersion: "v1",
      kind: "Secret",
      type: "kubernetes.io/tls",
      metadata: { namespace: "kube-system", name: `${name}-serving` },
      stringData: { "tls.crt": "", "tls.key": "" },
    },
    signal,
  );

/** k3s keeps its data in a file unless it is told to begin a cluster. */
const hasEtcd = ({ name }: Distribution, config: NodeConfig, { etcd }: WorkloadCluster): boolean =>
  textOf(config["datastore-endpoint"]) === "" &&
  (name === "rke2" || config["cluster-init"] === true || etcd.members.length > 0);

/** Begins a cluster, or joins the servers there are. `annotations`: what its Node says of its member of etcd. */
export const startServer = async (
  machine: MachineContext,
  distribution: Distribution,
  config: NodeConfig,
  node: string,
): Promise<{ readonly cluster: WorkloadCluster; readonly annotations: Readonly<Record<string, string>> }> => {
  const server = textOf(config["server"]);
  const isFirst = server === "";
  const registration = isFirst
    ? await beginning(machine, distribution, config)
    : (await registerWith(machine, distribution, { server, token: textOf(config["token"]), role: "server" }))
        .registration;
  const port = portOf(config);
  const cluster = await serve(machine, distribution, registration, { fresh: isFirst, port });
  const folder = dataDirectory(distribution, config);
  const annotations = hasEtcd(distribution, config, cluster)
    ? await joinManagedEtcd(machine, { distribution, folder, node }, cluster)
    : {};
  const saved: SavedServer = { distribution: distribution.name, port, registration };
  machine.disk.write(`${folder}/${stateFile}`, JSON.stringify(saved), { permissions: "0600" });
  await writeServingSecret(cluster, distribution, machine.signal);
  const brings = isFirst && !machine.lenient;
  if (brings) await installNetworkPlugins(cluster.admin, distribution, registration, machine.signal);
  if (!machine.lenient) {
    await deployManifests(machine, `${folder}/server/manifests`, cluster);
  }
  return { cluster, annotations };
};

/** Serves again after a restart, on a machine that is a server. */
export const restartServer = async (machine: MachineContext, known: readonly Distribution[]): Promise<void> => {
  const path = machine.disk.paths().find((file) => file.endsWith(`/${stateFile}`));
  if (path === undefined) return;
  const { distribution: name, port, registration } = JSON.parse(machine.disk.text(path) ?? "{}") as SavedServer;
  const distribution = known.find((one) => one.name === name);
  if (distribution === undefined) return;
  const folder = path.slice(0, -stateFile.length - 1);
  const cluster = await serve(machine, distribution, registration, { fresh: false, port });
  await startManagedEtcd(machine, folder, cluster);
  machine.console.print(name, "serving again");
};
