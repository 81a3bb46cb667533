import { check, expecting, type Check } from "./check.ts";
import type { ControlPlaneSubject, PreflightFacts, PreflightSubject } from "./facts.ts";
import { runtimeProblem } from "./runtime-problem.ts";
import { minorOf, versionOf } from "./version.ts";

/** Minimum hardware that kubeadm requires of a control plane. */
const controlPlaneNeeds = { cpus: 2, memoryMB: 1700 } as const;
export const ports = {
  kubelet: 10250,
  scheduler: 10259,
  controllerManager: 10257,
  etcd: 2379,
  etcdPeer: 2380,
} as const;

const named = (prefix: string, path: string): string => `${prefix}-${path.replaceAll("/", "-")}`;

export const enoughCPUs = ({ cpus }: PreflightFacts): Check =>
  expecting(
    "NumCPU",
    cpus >= controlPlaneNeeds.cpus,
    `the number of available CPUs ${cpus} is less than the required ${controlPlaneNeeds.cpus}`,
  );

export const enoughMemory = ({ memoryMB }: PreflightFacts): Check =>
  expecting(
    "Mem",
    memoryMB >= controlPlaneNeeds.memoryMB,
    `the system RAM (${memoryMB} MB) is less than the minimum ${controlPlaneNeeds.memoryMB} MB`,
  );

export const portFree = (facts: PreflightFacts, port: number): Check =>
  expecting(`Port-${port}`, !facts.isPortTaken(port), `Port ${port} is in use`);

export const fileAbsent = ({ disk }: PreflightFacts, path: string): Check =>
  expecting(
    named("FileAvailable", path),
    disk.stat(path) === undefined && !disk.isDirectory(path),
    `${path} already exists`,
  );

export const directoryEmpty = ({ disk }: PreflightFacts, path: string): Check =>
  expecting(named("DirAvailable", path), !disk.isDirectory(path), `${path} is not empty`);

/** Checks that the files for connecting to an external etcd exist; does not ask etcd for its version. */
export const externalEtcdReachable = (
  { disk }: PreflightFacts,
  { caFile, certFile, keyFile }: ControlPlaneSubject["externalEtcd"],
): Check => {
  const name = "ExternalEtcdVersion";
  const isAbsent = (path: string): boolean => disk.stat(path) === undefined;
  const open = (path: string): string => `open ${path}: no such file or directory`;
  if (caFile !== undefined && isAbsent(caFile)) {
    return check(name, { errors: [`couldn't load external etcd's server certificate ${caFile}: ${open(caFile)}`] });
  }
  if (certFile === undefined || keyFile === undefined) return check(name);
  const absent = [certFile, keyFile].find(isAbsent);
  if (absent === undefined) return check(name);
  const pair = `couldn't load external etcd's certificate and key pair ${certFile}, ${keyFile}: ${open(absent)}`;
  return check(name, { errors: [pair] });
};

export const externalEtcdFiles = (
  { disk }: PreflightFacts,
  files: ControlPlaneSubject["externalEtcd"],
): readonly Check[] =>
  [files.caFile, files.certFile, files.keyFile]
    .filter((path) => path !== undefined)
    .map((path) => expecting("ExternalEtcdClientCertificates", disk.stat(path) !== undefined, `${path} doesn't exist`));

/** A setting of the kernel is 1. */
export const settingOn = (facts: PreflightFacts, key: string): Check => {
  const path = `/proc/sys/${key.replaceAll(".", "/")}`;
  const value = facts.setting(key);
  const name = named("FileContent", path);
  if (value === undefined) return check(name, { errors: [`${path} does not exist`] });
  return expecting(name, value.startsWith("1"), `${path} contents are not set to 1`);
};

export const firewallOff = (facts: PreflightFacts, open: readonly number[]): Check =>
  check("Firewalld", {
    warnings:
      facts.service("firewalld")?.running === true
        ? [
            `firewalld is active, please ensure ports [${open.join(" ")}] are open or your cluster may not function correctly`,
          ]
        : [],
  });

/** kubeadm installs clusters of its own minor version at most. */
export const kubernetesNotNewer = ({ kubeadmVersion }: PreflightFacts, kubernetesVersion: string): Check => {
  const [own, asked] = [versionOf(kubeadmVersion), versionOf(kubernetesVersion)];
  if (own === undefined || asked === undefined || asked.minor <= own.minor) return check("KubernetesVersion");
  return check("KubernetesVersion", {
    warnings: [
      `Kubernetes version is greater than kubeadm version. Please consider to upgrade kubeadm. Kubernetes version: ${asked.text}. Kubeadm version: ${own.major}.${own.minor}.x`,
    ],
  });
};

const swapText = (minor: number): string => {
  if (minor >= 31) {
    return "swap is supported for cgroup v2 only. The kubelet must be properly configured to use swap. Please refer to https://kubernetes.io/docs/concepts/architecture/nodes/#swap-memory, or disable swap on the node";
  }
  return minor >= 28
    ? "swap is supported for cgroup v2 only; the NodeSwap feature gate of the kubelet is beta but disabled by default"
    : "swap is enabled; production deployments should disable swap unless testing the NodeSwap feature gate of the kubelet";
};

const swapOff = ({ isSwapOn, kubeadmVersion }: PreflightFacts): Check =>
  check("Swap", { warnings: isSwapOn ? [swapText(minorOf(kubeadmVersion))] : [] });

/** Programs on the path: those that kubeadm needs, and those it would like. */
const wantedPrograms = (minor: number, kubernetesVersion = ""): Readonly<Record<string, boolean>> => {
  const tools = { ip: true, iptables: true, mount: true, nsenter: true };
  const likes = { ethtool: false, tc: false, touch: false };
  // Of a join it does not know the version of the cluster, and does not ask.
  const asked = versionOf(kubernetesVersion);
  const tracking = asked !== undefined && asked.minor < 32 ? { conntrack: true } : {};
  if (minor >= 33) return { ...tracking, losetup: true, mount: true, cp: true };
  if (minor === 32) return { ...tracking, ...tools, ...likes };
  if (minor === 31) return { crictl: false, conntrack: true, ...tools, ...likes };
  return {
    crictl: true,
    conntrack: true,
    ...tools,
    ebtables: false,
    ethtool: false,
    socat: false,
    tc: false,
    touch: false,
  };
};

const programsThere = (facts: PreflightFacts, kubernetesVersion?: string): readonly Check[] =>
  Object.entries(wantedPrograms(minorOf(facts.kubeadmVersion), kubernetesVersion)).map(([name, isNeeded]) => {
    const message = `${name} not found in system path`;
    if (facts.hasProgram(name)) return check(`FileExisting-${name}`);
    return check(`FileExisting-${name}`, isNeeded ? { errors: [message] } : { warnings: [message] });
  });

const noKubelet =
  "couldn't get kubelet version: cannot execute 'kubelet --version': executable file not found in $PATH";

/** The simulated kernels have what kubelets need; since v1.35 the check asks for the kubelet's version first. */
const systemFine = ({ kubeadmVersion, kubeletVersion }: PreflightFacts): Check =>
  expecting("SystemVerification", kubeletVersion !== undefined || minorOf(kubeadmVersion) < 35, noKubelet);

const nameResolves = (facts: PreflightFacts, name: string): Check => {
  const problem = facts.lookup(name);
  return check("Hostname", {
    warnings:
      problem === undefined ? [] : [`hostname "${name}" could not be reached`, `hostname "${name}": ${problem}`],
  });
};

/** The kubelet is at most three minor versions older than kubeadm, and not newer than the cluster. */
const kubeletFits = (facts: PreflightFacts, kubernetesVersion?: string): Check => {
  const name = "KubeletVersion";
  if (facts.kubeletVersion === undefined) return check(name, { errors: [noKubelet] });
  const [kubelet, own] = [versionOf(facts.kubeletVersion), versionOf(facts.kubeadmVersion)];
  if (kubelet === undefined || own === undefined) return check(name);
  if (kubelet.minor < own.minor - (own.minor >= 28 ? 3 : 1)) {
    const lower = `Kubelet version "${kubelet.text}" is lower than kubeadm can support. Please upgrade kubelet`;
    return check(name, { errors: [lower] });
  }
  const cluster = kubernetesVersion === undefined ? undefined : versionOf(kubernetesVersion);
  if (cluster === undefined || kubelet.minor <= cluster.minor) return check(name);
  return check(name, {
    errors: [
      `the kubelet version is higher than the control plane version. This is not a supported version skew and may lead to a malfunctional cluster. Kubelet version: "${kubelet.text}" Control plane version: "${cluster.text}"`,
    ],
  });
};

const kubeletEnabled = (facts: PreflightFacts): Check => {
  const name = minorOf(facts.kubeadmVersion) >= 35 ? "Service-kubelet" : "Service-Kubelet";
  const service = facts.service("kubelet");
  if (service === undefined) return check(name, { warnings: ["kubelet service does not exist"] });
  const enable = "kubelet service is not enabled, please run 'systemctl enable kubelet.service'";
  return check(name, { warnings: service.enabled ? [] : [enable] });
};

/** Returns the checks of every machine. */
export const commonChecks = (facts: PreflightFacts, subject: PreflightSubject): readonly Check[] => [
  ...runtimeProblem(facts, subject.socket).checks,
  swapOff(facts),
  ...programsThere(facts, subject.kubernetesVersion),
  systemFine(facts),
  nameResolves(facts, subject.nodeName),
  kubeletFits(facts, subject.kubernetesVersion),
  kubeletEnabled(facts),
  portFree(facts, ports.kubelet),
];
