import {
  cloudInitDocument,
  rootFile,
  sentinelPlaceholder,
  withSuccessSentinel,
  type FileEntry,
  type User,
} from "@capstan/kit/bootstrap";
import { yamlText } from "@capstan/kit/userdata";
import type { JsonObject } from "@capstan/schema";
import type { KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";

/** What one machine's document is made of; the parts are resolved, nothing is read from anywhere. */
export interface BootstrapDocument {
  /** For commands, disks, time servers, mounts and verbosity. */
  readonly spec: KubeadmConfigSpec;
  /** Contents resolved. */
  readonly files: readonly FileEntry[];
  readonly users: readonly User[];
  readonly certificateFiles?: readonly FileEntry[];
  readonly discoveryFile?: FileEntry | undefined;
  readonly kubeadm:
    | { readonly command: "init"; readonly clusterConfiguration: JsonObject; readonly initConfiguration: JsonObject }
    | { readonly command: "join"; readonly joinConfiguration: JsonObject; readonly controlPlane: boolean };
}

const kubeadmFile = (kubeadm: BootstrapDocument["kubeadm"]): FileEntry => {
  if (kubeadm.command === "init") {
    const [cluster, init] = [yamlText(kubeadm.clusterConfiguration), yamlText(kubeadm.initConfiguration)];
    return rootFile("/run/kubeadm/kubeadm.yaml", `---\n${cluster}\n---\n${init}`);
  }
  const join = yamlText(kubeadm.joinConfiguration);
  return rootFile("/run/kubeadm/kubeadm-join-config.yaml", kubeadm.controlPlane ? join : `---\n${join}`);
};

/** The cloud-config of a machine that runs `kubeadm init` or `kubeadm join`. */
export const renderBootstrapDocument = (document: BootstrapDocument): string => {
  const { certificateFiles = [], discoveryFile, files, kubeadm, spec, users } = document;
  const { bootCommands, diskSetup, mounts, ntp, postKubeadmCommands = [], preKubeadmCommands = [], verbosity } = spec;
  const configuration = kubeadmFile(kubeadm);
  const flag = verbosity === undefined ? "" : `--v ${verbosity}`;
  const command = `kubeadm ${kubeadm.command} --config ${configuration.path} ${flag}`;
  return cloudInitDocument({
    files: [
      ...certificateFiles,
      ...files,
      ...(discoveryFile === undefined ? [] : [discoveryFile]),
      configuration,
      sentinelPlaceholder,
    ],
    commands: [...preKubeadmCommands, withSuccessSentinel(command), ...postKubeadmCommands],
    bootCommands,
    ntp,
    users,
    diskSetup,
    mounts,
  });
};
