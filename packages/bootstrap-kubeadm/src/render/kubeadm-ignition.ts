import {
  type FileEntry,
  ignitionDocument,
  type IgnitionRun,
  type MachineSetup,
  scriptUnit,
  translateConfig,
} from "@capstan/kit/bootstrap";
import type { KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";

/** The unit runs once: the configuration that it waits for is removed when kubeadm has succeeded. */
const run: IgnitionRun = {
  script: { path: "/etc/kubeadm.sh", owner: "root:root", permissions: "0700" },
  header: "#!/bin/bash\nset -e",
  unit: {
    name: "kubeadm.service",
    contents: scriptUnit({
      description: "kubeadm",
      condition: "/etc/kubeadm.yml",
      after: "network.target",
      command: "/bin/bash /etc/kubeadm.sh",
    }),
  },
};

/** The lines of the script that run kubeadm: it ends at the first that fails. */
export const ignitionCommands = (command: string, configuration: Pick<FileEntry, "path">): readonly string[] => [
  command,
  "mkdir -p /run/cluster-api && echo success > /run/cluster-api/bootstrap-success.complete",
  `mv ${configuration.path} /tmp/`,
];

/**
 * The Ignition config of a machine, in version 2.3 of the specification, or in that of the additional config where it is Butane. Throws
 * `bootstrap.ignition_unsupported`.
 */
export const kubeadmIgnition = (setup: MachineSetup, ignition: KubeadmConfigSpec["ignition"]): string => {
  const { additionalConfig } = ignition?.containerLinuxConfig ?? {};
  return ignitionDocument(setup, {
    run,
    major: 2,
    additional: additionalConfig === undefined ? undefined : translateConfig(additionalConfig),
  });
};
