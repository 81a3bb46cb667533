import {
  controlPlaneMachineManifest,
  indented,
  kubeadmConfigManifest,
  kubeadmConfigTemplateManifest,
  kubeadmControlPlaneManifest,
  machinePoolManifest,
  manifests,
  nodeRegistration,
  workersManifest,
} from "@capstan/kit/flavors";
import {
  cloudConfigFile,
  clusterParts,
  controlPlaneServer,
  controlPlaneTemplate,
  poolOfWorkers,
  workersTemplate,
} from "./azure-parts.ts";

const registration = (part: "initConfiguration" | "joinConfiguration", more = ""): string => `${part}:
${more}${indented(nodeRegistration(`'{{ ds.meta_data["local_hostname"] }}'`, { "cloud-provider": "external" }), 2)}`;

const clusterConfiguration = `clusterConfiguration:
  controllerManager:
    extraArgs:
      - name: cloud-provider
        value: external
`;

/** Nodes become ready when Pods can talk: the first machine brings the network. */
const network = `postKubeadmCommands:
  - test ! -f /run/kubeadm/kubeadm.yaml || kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f \${CNI_MANIFEST:=https://github.com/flannel-io/flannel/releases/download/v0.27.4/kube-flannel.yml}
`;

/** A machine behind an internal load balancer does not reach itself by it: before there is another one, the name means the machine. */
const ownName = `preKubeadmCommands:
  - test ! -f /run/kubeadm/kubeadm.yaml || echo '127.0.0.1 apiserver.\${CLUSTER_NAME}.capz.io' >> /etc/hosts
`;

const controlPlaneConfig = (owner: string, isInternal: boolean): string =>
  [
    cloudConfigFile(owner, "control-plane"),
    clusterConfiguration,
    isInternal ? ownName : "",
    network,
    registration("initConfiguration"),
    registration("joinConfiguration", "  controlPlane: {}\n"),
  ].join("");

const controlPlaneName = "${CLUSTER_NAME}-control-plane";
const workersName = "${CLUSTER_NAME}-workers";

/** One Machine that stands alone. */
const standalone = (isInternal: boolean): readonly string[] => {
  const name = `${controlPlaneName}-0`;
  return [
    controlPlaneMachineManifest(name, { bootstrap: "KubeadmConfig", infrastructure: "AzureMachine" }),
    kubeadmConfigManifest(name, controlPlaneConfig(name, isInternal)),
    controlPlaneServer(name),
  ];
};

/** As many Machines as are asked for, over the zones of the location. */
const managed = (isInternal: boolean): readonly string[] => [
  kubeadmControlPlaneManifest({
    infrastructure: "AzureMachineTemplate",
    config: controlPlaneConfig(controlPlaneName, isInternal),
  }),
  controlPlaneTemplate(controlPlaneName),
];

const workers = (isSpot: boolean): readonly string[] => [
  workersManifest({ bootstrap: "KubeadmConfigTemplate", infrastructure: "AzureMachineTemplate" }),
  kubeadmConfigTemplateManifest(
    workersName,
    cloudConfigFile(workersName, "worker-node") + registration("joinConfiguration"),
  ),
  workersTemplate(workersName, isSpot),
];

const poolName = "${CLUSTER_NAME}-pool";

/** Workers that are the machines of one scale set. */
const pool: readonly string[] = [
  machinePoolManifest({ bootstrap: "KubeadmConfig", infrastructure: "AzureMachinePool" }),
  kubeadmConfigManifest(poolName, cloudConfigFile(poolName, "worker-node") + registration("joinConfiguration")),
  poolOfWorkers(poolName),
];

export interface AzureFlavorOptions {
  readonly controlPlane: "standalone" | "managed";
  /** The API server is reached inside of the network alone. */
  readonly isInternal?: boolean;
  /** Workers are spot instances. */
  readonly isSpot?: boolean;
  /** Workers are a MachinePool. */
  readonly isPool?: boolean;
}

/** A cluster with kubeadm, an external cloud provider, and a MachineDeployment or a MachinePool. */
export const kubeadmTemplate = ({
  controlPlane,
  isInternal = false,
  isPool = false,
  isSpot = false,
}: AzureFlavorOptions): string =>
  manifests([
    ...clusterParts({ isInternal, ...(controlPlane === "managed" && { controlPlane: "KubeadmControlPlane" }) }),
    ...(controlPlane === "managed" ? managed(isInternal) : standalone(isInternal)),
    ...(isPool ? pool : workers(isSpot)),
  ]);
