import type { MachineContext } from "../../node/machine-context.ts";
import { kubeadmError, object, type Json } from "../configuration.ts";
import type { ServedControlPlane } from "../control-plane.ts";
import type { ControlPlaneSubject, JoinSubject } from "./facts.ts";
import { socketOf } from "./runtime-socket.ts";
import { minorOf, versionOf } from "./version.ts";

const textOr = <T>(value: unknown, fallback: T): string | T =>
  typeof value === "string" && value !== "" ? value : fallback;

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = new RegExp(String.raw`^${label}(\.${label})*$`);

/** The name of the Node as kubeadm takes it. Throws `guest.kubeadm_failed` for one that no Node can have. */
const checkedName = (nodeRegistration: Json, { hostname }: MachineContext): string => {
  const name = textOr(nodeRegistration["name"], hostname).trim().toLowerCase();
  if (name.length <= 253 && subdomain.test(name)) return name;
  throw kubeadmError(
    `nodeRegistration.name: Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${label}(\\.${label})*')`,
    { phase: undefined },
  );
};

const addressOf = (endpoint: Json, { request }: MachineContext): string =>
  textOr(endpoint["advertiseAddress"], request.address);

const rangesOf = (networking: Json): readonly string[] =>
  [textOr(networking["serviceSubnet"], "10.96.0.0/12"), textOr(networking["podSubnet"], "")]
    .flatMap((ranges) => ranges.split(","))
    .filter((range) => range !== "");

const etcdOf = (etcd: Json): Pick<ControlPlaneSubject, "etcdDirectory" | "externalEtcd"> => {
  if (etcd["external"] === undefined) {
    return { etcdDirectory: textOr(object(etcd["local"])["dataDir"], "/var/lib/etcd"), externalEtcd: {} };
  }
  const external = object(etcd["external"]);
  const files = ["caFile", "certFile", "keyFile"].map((name) => [name, textOr(external[name], "")] as const);
  return { externalEtcd: Object.fromEntries(files.filter(([, path]) => path !== "")) };
};

/**
 * Returns the subject of the checks of `kubeadm init`, or of a further control plane. Throws `guest.kubeadm_failed` for input that kubeadm
 * refuses before its checks.
 */
export const controlPlaneSubject = (
  machine: MachineContext,
  input: {
    readonly cluster: Json;
    readonly nodeRegistration: Json;
    readonly endpoint: Json;
    readonly served: Pick<ServedControlPlane, "bindPort">;
    readonly version: string;
  },
): ControlPlaneSubject => ({
  nodeName: checkedName(input.nodeRegistration, machine),
  socket: socketOf(machine.software, input.nodeRegistration["criSocket"]),
  kubernetesVersion: input.version,
  bindPort: input.served.bindPort,
  advertiseAddress: addressOf(input.endpoint, machine),
  ranges: rangesOf(object(input.cluster["networking"])),
  ...etcdOf(object(input.cluster["etcd"])),
});

/** Returns the subject of the checks of `kubeadm join`. Throws `guest.kubeadm_failed` for input that kubeadm refuses before them. */
export const joinSubject = (machine: MachineContext, join: Json): JoinSubject => {
  const registration = object(join["nodeRegistration"]);
  const { apiServerEndpoint } = object(object(join["discovery"])["bootstrapToken"]);
  return {
    nodeName: checkedName(registration, machine),
    socket: socketOf(machine.software, registration["criSocket"]),
    isControlPlane: join["controlPlane"] !== undefined,
    caCertPath: textOr(join["caCertPath"], "/etc/kubernetes/pki/ca.crt"),
    ...(typeof apiServerEndpoint === "string" && { endpoint: apiServerEndpoint }),
  };
};

/** kubeadm knows clusters of its own minor version and of the one before. Throws `guest.kubeadm_failed` for older ones. */
export const checkClusterVersion = (kubeadmVersion: string, kubernetesVersion: string): void => {
  const oldest = minorOf(kubeadmVersion) - 1;
  const cluster = versionOf(kubernetesVersion);
  if (cluster === undefined || cluster.minor >= oldest) return;
  throw kubeadmError(
    `this version of kubeadm only supports deploying clusters with the control plane version >= 1.${oldest}.0. Current version: ${kubernetesVersion}`,
    { phase: undefined },
  );
};
