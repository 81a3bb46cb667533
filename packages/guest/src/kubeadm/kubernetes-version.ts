import { knownKubernetes } from "@capstan/contract";
import type { MachineContext } from "../node/machine-context.ts";
import { kubeadmError } from "./configuration.ts";

const shape = /^v?1\.(\d+)\.(\d+)(?:[-+][0-9A-Za-z.+-]+)?$/;

/** The version with its `v`. Throws `guest.kubeadm_failed` for one that there is not. */
export const knownVersion = (text: string): string => {
  const minor = Number(shape.exec(text)?.[1] ?? Number.NaN);
  const { newestMinor, oldestMinor } = knownKubernetes;
  if (minor >= oldestMinor && minor <= newestMinor) return text.startsWith("v") ? text : `v${text}`;
  throw kubeadmError(
    `[preflight] Kubernetes version ${JSON.stringify(text)} is not known here; there are v1.${oldestMinor}.0 to v1.${newestMinor}.x`,
  );
};

const number = String.raw`v?(1\.\d+\.\d+)`;

/** Patterns for the version of the kubelet that documents install: a package, a download, a variable. */
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
  knownVersion(
    machine.lenient
      ? (machine.installed ?? (await machine.askedVersion()) ?? ofCluster)
      : (machine.software.programs.get("kubelet") ?? ofCluster),
  );
