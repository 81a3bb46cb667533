import {
  cloudInitDocument,
  type FileEntry,
  rootFile,
  sentinelPlaceholder,
  type User,
  withSuccessSentinel,
  yamlText,
} from "@capstan/kit/bootstrap";
import type { JsonObject } from "@capstan/schema";
import type { KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";
import { ignitionCommands, kubeadmIgnition } from "./kubeadm-ignition.ts";

/** Input of one machine's document; all parts are resolved, nothing is read. */
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

/** Where kubeadm's configuration lies on the machine, and who may read it. */
const configurationFiles = {
  "cloud-config": {
    init: { path: "/run/kubeadm/kubeadm.yaml", permissions: "0640" },
    join: { path: "/run/kubeadm/kubeadm-join-config.yaml", permissions: "0640" },
  },
  // What is below /run is gone when Ignition has ended.
  ignition: {
    init: { path: "/etc/kubeadm.yml", permissions: "0600" },
    join: { path: "/etc/kubeadm.yml", permissions: "0600" },
  },
} as const;

const kubeadmFile = ({ kubeadm, spec: { format = "cloud-config" } }: BootstrapDocument): FileEntry => {
  const { path, permissions } = configurationFiles[format][kubeadm.command];
  if (kubeadm.command === "init") {
    const [cluster, init] = [yamlText(kubeadm.clusterConfiguration), yamlText(kubeadm.initConfiguration)];
    return rootFile(path, `---\n${cluster}\n---\n${init}`, permissions);
  }
  const join = yamlText(kubeadm.joinConfiguration);
  return rootFile(path, kubeadm.controlPlane ? join : `---\n${join}`, permissions);
};

/** The document, in the format of the spec, of a machine that runs `kubeadm init` or `kubeadm join`. Throws `bootstrap.ignition_unsupported`. */
export const renderBootstrapDocument = (document: BootstrapDocument): string => {
  const { certificateFiles = [], discoveryFile, files, kubeadm, spec, users } = document;
  const { bootCommands, diskSetup, mounts, ntp, postKubeadmCommands = [], preKubeadmCommands = [], verbosity } = spec;
  const configuration = kubeadmFile(document);
  const flag = verbosity === undefined ? "" : `--v ${verbosity}`;
  const command = `kubeadm ${kubeadm.command} --config ${configuration.path} ${flag}`;
  const setup = {
    files: [...certificateFiles, ...files, ...(discoveryFile === undefined ? [] : [discoveryFile]), configuration],
    bootCommands,
    ntp,
    users,
    diskSetup,
    mounts,
  };
  if (spec.format === "ignition") {
    const commands = [
      ...preKubeadmCommands,
      ...ignitionCommands(command.trimEnd(), configuration),
      ...postKubeadmCommands,
    ];
    return kubeadmIgnition({ ...setup, commands }, spec.ignition);
  }
  return cloudInitDocument({
    ...setup,
    files: [...setup.files, sentinelPlaceholder],
    commands: [...preKubeadmCommands, withSuccessSentinel(command), ...postKubeadmCommands],
  });
};
