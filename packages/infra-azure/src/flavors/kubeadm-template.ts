import { Label } from "@capstan/contract";
import {
  clusterManifest,
  controlPlaneMachineManifest,
  indented,
  kubeadmConfigManifest,
  kubeadmConfigTemplateManifest,
  kubeadmControlPlaneManifest,
  manifest,
  manifests,
  nodeRegistration,
  templateSpec,
  workersManifest,
} from "@capstan/kit/flavors";
import { apiVersionOf } from "@capstan/schema";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";

const apiVersion = apiVersionOf(AzureCluster);

const credentials = `apiVersion: v1
kind: Secret
metadata:
  name: \${CLUSTER_NAME}-identity
  labels:
    ${Label.move}: "true"
stringData:
  clientSecret: $\${AZURE_CLIENT_SECRET}
`;

const identity = manifest(
  {
    apiVersion,
    kind: "AzureClusterIdentity",
    name: "${CLUSTER_NAME}",
    labels: { [Label.moveHierarchy]: '"true"' },
  },
  `type: ServicePrincipal
tenantID: $\${AZURE_TENANT_ID}
clientID: $\${AZURE_CLIENT_ID}
clientSecret:
  name: \${CLUSTER_NAME}-identity
allowedNamespaces: {}
`,
);

const location = `location: \${AZURE_LOCATION:=westeurope}
subscriptionID: $\${AZURE_SUBSCRIPTION_ID}
resourceGroup: \${AZURE_RESOURCE_GROUP:=\${CLUSTER_NAME}}
identityRef:
  apiVersion: ${apiVersion}
  kind: AzureClusterIdentity
  name: \${CLUSTER_NAME}
`;

/** Machines of an internal API server have no way out by its load balancer: another one is for what leaves. */
const internalNetwork = `networkSpec:
  apiServerLB:
    type: Internal
  controlPlaneOutboundLB:
    frontendIPsCount: 1
`;

/** The Secret of the cloud provider's configuration, which is kept for an AzureMachine, or for the template of several. */
const cloudConfigFile = (owner: string, role: "control-plane" | "worker-node"): string => `files:
  - path: /etc/kubernetes/azure.json
    owner: root:root
    permissions: "0644"
    contentFrom:
      secret:
        name: ${owner}-azure-json
        key: ${role}-azure.json
`;

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

const disks = `osDisk:
  osType: Linux
  diskSizeGB: 128
`;
const key = 'sshPublicKey: ${AZURE_SSH_PUBLIC_KEY_B64:=""}\n';
const controlPlaneSize = "vmSize: ${AZURE_CONTROL_PLANE_MACHINE_TYPE:=Standard_D2s_v3}\n";
const workerSize = "vmSize: ${AZURE_NODE_MACHINE_TYPE:=Standard_D2s_v3}\n";

/** The highest price is that of the size where none is given. */
const spot = `spotVMOptions:
  evictionPolicy: Delete
  maxPrice: "\${AZURE_SPOT_MAX_PRICE:=-1}"
`;

const controlPlaneName = "${CLUSTER_NAME}-control-plane";
const workersName = "${CLUSTER_NAME}-workers";

/** One Machine that stands alone. */
const standalone = (isInternal: boolean): readonly string[] => {
  const name = `${controlPlaneName}-0`;
  return [
    controlPlaneMachineManifest(name, { bootstrap: "KubeadmConfig", infrastructure: "AzureMachine" }),
    kubeadmConfigManifest(name, controlPlaneConfig(name, isInternal)),
    manifest({ apiVersion, kind: "AzureMachine", name }, controlPlaneSize + disks + key),
  ];
};

/** As many Machines as are asked for, over the zones of the location. */
const managed = (isInternal: boolean): readonly string[] => [
  kubeadmControlPlaneManifest({
    infrastructure: "AzureMachineTemplate",
    config: controlPlaneConfig(controlPlaneName, isInternal),
  }),
  manifest(
    { apiVersion, kind: "AzureMachineTemplate", name: controlPlaneName },
    templateSpec(controlPlaneSize + disks + key),
  ),
];

const workers = (isSpot: boolean): readonly string[] => [
  workersManifest({ bootstrap: "KubeadmConfigTemplate", infrastructure: "AzureMachineTemplate" }),
  kubeadmConfigTemplateManifest(
    workersName,
    cloudConfigFile(workersName, "worker-node") + registration("joinConfiguration"),
  ),
  manifest(
    { apiVersion, kind: "AzureMachineTemplate", name: workersName },
    templateSpec(workerSize + disks + (isSpot ? spot : "") + key),
  ),
];

export interface AzureFlavorOptions {
  readonly controlPlane: "standalone" | "managed";
  /** The API server is reached inside of the network alone. */
  readonly isInternal?: boolean;
  /** Workers are spot instances. */
  readonly isSpot?: boolean;
}

/** A cluster with kubeadm, an external cloud provider and a MachineDeployment. */
export const kubeadmTemplate = ({ controlPlane, isInternal = false, isSpot = false }: AzureFlavorOptions): string =>
  manifests([
    credentials,
    identity,
    clusterManifest({
      infrastructure: "AzureCluster",
      ...(controlPlane === "managed" && { controlPlane: "KubeadmControlPlane" }),
      pods: "${POD_CIDR:=10.244.0.0/16}",
      services: "${SERVICE_CIDR:=172.26.0.0/16}",
    }),
    manifest(
      { apiVersion, kind: "AzureCluster", name: "${CLUSTER_NAME}" },
      location + (isInternal ? internalNetwork : ""),
    ),
    ...(controlPlane === "managed" ? managed(isInternal) : standalone(isInternal)),
    ...workers(isSpot),
  ]);
