import { knownKubernetes } from "@capstan/contract";
import { valueAt } from "@capstan/contract/wire";
import type { PlannedMachineV1, PlannedResourceV1 } from "@capstan/contract/v1";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import {
  ignoredChecks,
  kubeletArguments,
  type MachineSetup,
  postCommands,
  setupOfOwner,
  type SetupSource,
} from "./machine-setup.ts";

/** An object that creates machines that do not exist yet. */
export interface MachineMaker {
  /** The Machine, or what makes it. */
  readonly owner: KubeObject;
  /** The infrastructure object, or what a template says of it. */
  readonly infrastructure: KubeObject | undefined;
  readonly cluster: string;
  readonly isControlPlane: boolean;
}

/** Something that cannot go well, whatever else happens. */
export interface CertainFailure {
  readonly object: KubeObject;
  readonly message: string;
}

interface Known extends MachineMaker {
  readonly setup: MachineSetup;
  /** Absent: its provider plans nothing, and may initialize Nodes by itself. */
  readonly machine: PlannedMachineV1 | undefined;
}

/** Words of scripts that fetch or install something. */
const installs = /kubeadm|kubelet|\b(?:apt|apt-get|dnf|yum|zypper|dpkg|rpm|snap|curl|wget|tar|ctr|oras)\b/;
const network = /\/etc\/cni\/|flannel|calico|cilium|weave|antrea|kube-router|kube-?ovn|ovn-kubernetes|canal|\bcni\b/i;
const cloudController = /cloud-controller|cloud-node-manager|\bccm\b/i;
const swapOff = /swapoff|zram/;
const swapAllowed = /failSwapOn/;
/** A script that is fetched and run: what it does is not known. */
const runsFetched = /\|\s*(?:sudo\s+)?(?:ba|da)?sh\b|\bsh -c "?\$\(curl\b/;

/** kubeadm's minimum for a control-plane machine. */
const least = { cpus: 2, memoryMiB: 1700 } as const;

const isKubeadm = ({ setup }: Known): boolean => setup.kind === "KubeadmConfig";

/** The machine comes up without kubeadm. */
const noKubeadm = ({ machine, setup }: Known): string | undefined =>
  machine?.hasKubernetes === false && !setup.isPartlyUnknown && !installs.test(setup.runBefore)
    ? "its image has no kubeadm and its bootstrap data does not install it, so bootstrapping fails with `kubeadm: command not found`; install containerd, kubelet and kubeadm in preKubeadmCommands, or choose an image that has them"
    : undefined;

/** The kubelet does not start while there is swap. */
const swapIsOn = ({ machine, setup }: Known): string | undefined =>
  machine?.hasSwap === true &&
  !setup.isPartlyUnknown &&
  !swapOff.test(setup.runBefore) &&
  !swapAllowed.test(setup.text) &&
  !runsFetched.test(setup.runBefore) &&
  kubeletArguments(setup)["fail-swap-on"] !== "false"
    ? "its image has swap enabled, so the kubelet does not start; add `swapoff -a` to preKubeadmCommands, and remove swap from /etc/fstab"
    : undefined;

/** kubeadm refuses to make a control plane of it. */
const tooSmall = ({ isControlPlane, machine, setup }: Known): string | undefined => {
  const { cpus, memoryMiB } = machine ?? {};
  if (!isControlPlane) return undefined;
  const ignored = ignoredChecks(setup);
  const lacks = [
    ...(cpus !== undefined && cpus < least.cpus && !ignored.includes("numcpu") ? [`${cpus} CPU`] : []),
    ...(memoryMiB !== undefined && memoryMiB < least.memoryMiB && !ignored.includes("mem") ? [`${memoryMiB} MiB`] : []),
  ];
  return lacks.length === 0 || ignored.includes("all")
    ? undefined
    : `it has ${lacks.join(" and ")}, but kubeadm requires at least ${least.cpus} CPUs and ${least.memoryMiB} MiB for a control plane; choose a larger size`;
};

/** Returns whether something may be done in the cluster that cannot be read here: then nothing is certain. */
const mayDoMore = ({ setup }: Known): boolean =>
  setup.isPartlyUnknown || postCommands(setup).some((command) => !network.test(command) && !setup.isReadable(command));

const serverConfig = ({ setup }: Known): Readonly<Record<string, unknown>> => {
  const server = setup.spec["serverConfig"];
  return isJsonObject(server) ? server : {};
};

/** Nodes wait for a cloud controller, by their kubelets or because the distribution leaves it to one. */
const waitsForController = (known: Known): boolean => {
  if (known.machine === undefined) return false;
  if (isKubeadm(known)) return kubeletArguments(known.setup)["cloud-provider"] === "external";
  const { cloudProviderName, disableCloudController } = serverConfig(known);
  if (!known.isControlPlane) return false;
  return known.setup.kind === "KThreesConfig"
    ? disableCloudController !== false && cloudProviderName !== ""
    : /^cloud-provider-name: *"?external/m.test(known.setup.text);
};

/** Returns what the machines of one Cluster lack together, reported on the control plane, which has to provide it. */
const ofCluster = (members: readonly Known[]): readonly CertainFailure[] => {
  const controlPlane = members.filter(({ isControlPlane }) => isControlPlane);
  const [first] = controlPlane;
  if (first === undefined || controlPlane.some(mayDoMore)) return [];
  const brings = (words: RegExp): boolean => controlPlane.some(({ setup }) => words.test(setup.text));
  const needsNetwork = isKubeadm(first);
  const waiting = members.find(waitsForController);
  return [
    ...(needsNetwork && !brings(network)
      ? [
          {
            object: first.owner,
            message:
              "its bootstrap data does not install a CNI plugin, so no Node becomes ready; apply the manifest of one in postKubeadmCommands",
          },
        ]
      : []),
    ...(waiting !== undefined && !brings(cloudController)
      ? [
          {
            object: first.owner,
            message: `Nodes of ${waiting.owner.kind} ${waiting.owner.metadata.name ?? ""} wait for a cloud controller manager (cloud-provider external), which its bootstrap data does not install, so nothing is scheduled on them; install that of the cloud, or set provider-id of the kubelets instead`,
          },
        ]
      : []),
  ];
};

const versionPaths = ["spec.version", "spec.template.spec.version"] as const;

/** A version that Kubernetes does not have. */
const noSuchVersion = ({ owner }: MachineMaker): readonly CertainFailure[] =>
  versionPaths.flatMap((path) => {
    const version = valueAt(owner, path);
    const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(typeof version === "string" ? version : "") ?? [];
    if (major === undefined) return [];
    const { newestMinor } = knownKubernetes;
    if (major === "1" && Number(minor) <= newestMinor) return [];
    const message =
      major === "1"
        ? `${path}: ${String(version)} is newer than any Kubernetes that this release of Capstan knows (v1.${newestMinor}); check that it exists`
        : `${path}: Kubernetes ${String(version)} does not exist; versions start with v1`;
    return [{ object: owner, message }];
  });

const clusterKey = ({ cluster, owner }: MachineMaker): string => `${owner.metadata.namespace ?? ""}/${cluster}`;

const ofMachine = (known: Known): readonly CertainFailure[] =>
  isKubeadm(known)
    ? [noKubeadm, swapIsOn, tooSmall].flatMap((check) => {
        const message = check(known);
        return message === undefined ? [] : [{ object: known.owner, message }];
      })
    : [];

/**
 * Returns the certain failures of planned machines whose objects are all valid. Whatever cannot be read counts as fine.
 */
export const certainFailures = async (
  makers: readonly MachineMaker[],
  resources: readonly PlannedResourceV1[],
  source: SetupSource,
): Promise<readonly CertainFailure[]> => {
  const known: Known[] = [];
  const unread = new Set<string>();
  for (const maker of makers) {
    const setup = await setupOfOwner(maker.owner, source);
    const machine = resources.find(({ object }) => object === maker.infrastructure)?.machine;
    if (setup !== undefined) known.push({ ...maker, setup, machine });
    else if (maker.isControlPlane) unread.add(clusterKey(maker));
  }
  const clusters = new Set(known.map(clusterKey).filter((key) => !unread.has(key)));
  return [
    ...makers.flatMap(noSuchVersion),
    ...known.flatMap(ofMachine),
    ...[...clusters].flatMap((key) => ofCluster(known.filter((each) => clusterKey(each) === key))),
  ];
};
