import type { MachineContext } from "../node/machine-context.ts";
import { kubeadmError } from "./configuration.ts";

/** Minor versions of Kubernetes 1 that are modelled. */
const minors = { oldest: 22, newest: 36 } as const;

const shape = /^v?1\.(\d+)\.(\d+)(?:[-+][0-9A-Za-z.+-]+)?$/;

/** The version with its `v`. Throws `guest.kubeadm_failed` for one that there is not. */
export const knownVersion = (text: string): string => {
  const minor = Number(shape.exec(text)?.[1] ?? Number.NaN);
  if (minor >= minors.oldest && minor <= minors.newest) return text.startsWith("v") ? text : `v${text}`;
  throw kubeadmError(
    `[preflight] Kubernetes version ${JSON.stringify(text)} is not known here; there are v1.${minors.oldest}.0 to v1.${minors.newest}.x`,
  );
};

const number = String.raw`v?(1\.\d+\.\d+)`;

/** How documents name the kubelet that they install: the package, the download, a variable. */
const installs = [
  new RegExp(`\\bkubelet[=-]${number}`),
  new RegExp(`\\bdl\\.k8s\\.io/(?:release/)?${number}/`),
  new RegExp(`\\bKUBERNETES_VERSION=["']?${number}`),
];

/** The version of the kubelet that a machine's documents install; `undefined`: it is in the image. */
export const installedVersion = (documents: readonly string[]): string | undefined =>
  installs.flatMap((pattern) => documents.flatMap((text) => pattern.exec(text)?.[1] ?? []))[0];

/** The version of a machine's kubelet: what it installs, what its owner asked for, or that of its cluster. */
export const kubeletVersionOf = async (machine: MachineContext, ofCluster: string): Promise<string> =>
  knownVersion(machine.installed ?? (await machine.askedVersion()) ?? ofCluster);
