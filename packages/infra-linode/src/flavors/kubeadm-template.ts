import {
  commandsOf,
  controlPlaneMachineManifest,
  filesOf,
  flavorHead,
  indented,
  installCommand,
  installKubernetes,
  kubeadmConfigManifest,
  kubeadmConfigTemplateManifest,
  kubeadmControlPlaneManifest,
  kubectlApply,
  manifests,
  nodeRegistration,
  onFirstMachine,
  podNetwork,
  workersManifest,
} from "@capstan/kit/flavors";
import { cloudController, cloudControllerTokenFile, cloudControllerTokenPath } from "./cloud-controller.ts";
import {
  clusterParts,
  controlPlaneServer,
  controlPlaneTemplate,
  linodeCosts,
  pods,
  workersTemplate,
} from "./linode-parts.ts";
import type { LinodeParts } from "./linode-parts.ts";

export interface LinodeFlavorOptions extends Omit<LinodeParts, "controlPlane"> {
  /** `alone`: one Machine that no one replaces. Default: a KubeadmControlPlane. */
  readonly machines?: "alone" | "managed";
  /** Machines of the KubeadmControlPlane where nothing is asked for. Default 1. */
  readonly replicas?: 1 | 3;
}

/** Who names a Node's server: the kubelet, or Linode's cloud controller. */
const registration = (
  part: "initConfiguration" | "joinConfiguration",
  { hasCloudController = false }: LinodeParts,
  more = "",
): string => {
  const kubelet: Readonly<Record<string, string>> = hasCloudController
    ? { "cloud-provider": "external" }
    : { "provider-id": '"linode://{{ ds.meta_data.id }}"' };
  return `${part}:\n${more}${indented(nodeRegistration('"{{ ds.meta_data.label }}"', kubelet), 2)}`;
};

const install = commandsOf("preKubeadmCommands", [installCommand]);

const controlPlaneConfig = (parts: LinodeParts): string => {
  const { hasCloudController = false } = parts;
  const files = hasCloudController ? [installKubernetes, cloudController] : [installKubernetes];
  return [
    filesOf(files, hasCloudController ? cloudControllerTokenFile : ""),
    install,
    commandsOf("postKubeadmCommands", [
      podNetwork(pods),
      ...(hasCloudController
        ? [cloudControllerTokenPath, cloudController.path].map((path) => onFirstMachine(kubectlApply(path)))
        : []),
    ]),
    registration("initConfiguration", parts),
    registration("joinConfiguration", parts, "  controlPlane: {}\n"),
  ].join("");
};

const controlPlaneName = "${CLUSTER_NAME}-control-plane";
const workersName = "${CLUSTER_NAME}-workers";

/** A Machine of the control plane with its own bootstrap configuration and server. */
const alone = (parts: LinodeParts): readonly string[] => {
  const name = `${controlPlaneName}-0`;
  return [
    controlPlaneMachineManifest(name, { bootstrap: "KubeadmConfig", infrastructure: "LinodeMachine" }),
    kubeadmConfigManifest(name, controlPlaneConfig(parts)),
    controlPlaneServer(name, parts),
  ];
};

const managed = (parts: LinodeParts, replicas: 1 | 3): readonly string[] => [
  kubeadmControlPlaneManifest({
    infrastructure: "LinodeMachineTemplate",
    config: controlPlaneConfig(parts),
    replicas,
  }),
  controlPlaneTemplate(controlPlaneName, parts),
];

const workers = (parts: LinodeParts): readonly string[] => [
  workersManifest({ bootstrap: "KubeadmConfigTemplate", infrastructure: "LinodeMachineTemplate" }),
  kubeadmConfigTemplateManifest(
    workersName,
    filesOf([installKubernetes]) + install + registration("joinConfiguration", parts),
  ),
  workersTemplate(workersName, parts),
];

const head = flavorHead({
  needs:
    "access to pkgs.k8s.io, download.docker.com, registry.k8s.io and github.com: the machines install containerd and Kubernetes on Ubuntu or Debian",
  costs: linodeCosts,
});

/** A cluster with kubeadm on stock images: a control plane and a MachineDeployment. */
export const kubeadmTemplate = ({ machines = "managed", replicas = 1, ...parts }: LinodeFlavorOptions = {}): string =>
  head +
  manifests([
    ...clusterParts({ ...parts, ...(machines === "managed" && { controlPlane: "KubeadmControlPlane" }) }),
    ...(machines === "managed" ? managed(parts, replicas) : alone(parts)),
    ...workers(parts),
  ]);
