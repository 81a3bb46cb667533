import {
  commandsOf,
  controlPlaneMachineManifest,
  filesOf,
  flavorHead,
  indented,
  kubeadmConfigManifest,
  kubeadmConfigTemplateManifest,
  kubeadmControlPlaneManifest,
  kubectlApply,
  machinePoolManifest,
  manifests,
  nodeRegistration,
  onFirstMachine,
  podNetwork,
  workersManifest,
} from "@capstan/kit/flavors";
import {
  azureCosts,
  cloudConfigFile,
  clusterParts,
  controlPlaneServer,
  controlPlaneTemplate,
  pods,
  poolOfWorkers,
  workersTemplate,
} from "./azure-parts.ts";
import { cloudController } from "./cloud-controller.ts";

const registration = (part: "initConfiguration" | "joinConfiguration", more = ""): string => `${part}:
${more}${indented(nodeRegistration(`'{{ ds.meta_data["local_hostname"] }}'`, { "cloud-provider": "external" }), 2)}`;

const clusterConfiguration = `clusterConfiguration:
  controllerManager:
    extraArgs:
      - name: cloud-provider
        value: external
`;

/** A machine behind an internal load balancer does not reach itself by it: before there is another one, the name means the machine. */
const ownName = onFirstMachine("echo '127.0.0.1 apiserver.${CLUSTER_NAME}.capz.io' >> /etc/hosts");

const controller = cloudController();

const controlPlaneConfig = (owner: string, isInternal: boolean): string =>
  [
    filesOf([controller], cloudConfigFile(owner, "control-plane")),
    clusterConfiguration,
    commandsOf("preKubeadmCommands", isInternal ? [ownName] : []),
    commandsOf("postKubeadmCommands", [podNetwork(pods), onFirstMachine(kubectlApply(controller.path))]),
    registration("initConfiguration"),
    registration("joinConfiguration", "  controlPlane: {}\n"),
  ].join("");

const controlPlaneName = "${CLUSTER_NAME}-control-plane";
const workersName = "${CLUSTER_NAME}-workers";

/** One Machine that stands alone. */
const alone = (isInternal: boolean): readonly string[] => {
  const name = `${controlPlaneName}-0`;
  return [
    controlPlaneMachineManifest(name, { bootstrap: "KubeadmConfig", infrastructure: "AzureMachine" }),
    kubeadmConfigManifest(name, controlPlaneConfig(name, isInternal)),
    controlPlaneServer(name),
  ];
};

/** As many Machines as are asked for, over the zones of the location. */
const managed = (isInternal: boolean, replicas: 1 | 3): readonly string[] => [
  kubeadmControlPlaneManifest({
    infrastructure: "AzureMachineTemplate",
    config: controlPlaneConfig(controlPlaneName, isInternal),
    replicas,
  }),
  controlPlaneTemplate(controlPlaneName),
];

const workers = (isSpot: boolean): readonly string[] => [
  workersManifest({ bootstrap: "KubeadmConfigTemplate", infrastructure: "AzureMachineTemplate" }),
  kubeadmConfigTemplateManifest(
    workersName,
    filesOf([], cloudConfigFile(workersName, "worker-node")) + registration("joinConfiguration"),
  ),
  workersTemplate(workersName, isSpot),
];

const poolName = "${CLUSTER_NAME}-pool";

/** Workers that are the machines of one scale set. */
const pool: readonly string[] = [
  machinePoolManifest({ bootstrap: "KubeadmConfig", infrastructure: "AzureMachinePool" }),
  kubeadmConfigManifest(
    poolName,
    filesOf([], cloudConfigFile(poolName, "worker-node")) + registration("joinConfiguration"),
  ),
  poolOfWorkers(poolName),
];

export interface AzureFlavorOptions {
  /** `alone`: one Machine that no one replaces. Default: a KubeadmControlPlane. */
  readonly machines?: "alone" | "managed";
  /** Machines of the KubeadmControlPlane where nothing is asked for. Default 1. */
  readonly replicas?: 1 | 3;
  /** The API server is reached inside of the network alone. */
  readonly isInternal?: boolean;
  /** Workers are spot instances. */
  readonly isSpot?: boolean;
  /** Workers are a MachinePool. */
  readonly isPool?: boolean;
}

const head = flavorHead({
  needs:
    "an image of the version in the community gallery of Cluster API for Azure, and access to registry.k8s.io, mcr.microsoft.com and github.com",
  costs: azureCosts,
});

/** A cluster with kubeadm, an external cloud provider, and a MachineDeployment or a MachinePool. */
export const kubeadmTemplate = ({
  isInternal = false,
  isPool = false,
  isSpot = false,
  machines = "managed",
  replicas = 1,
}: AzureFlavorOptions = {}): string =>
  head +
  manifests([
    ...clusterParts({ isInternal, ...(machines === "managed" && { controlPlane: "KubeadmControlPlane" }) }),
    ...(machines === "managed" ? managed(isInternal, replicas) : alone(isInternal)),
    ...(isPool ? pool : workers(isSpot)),
  ]);
