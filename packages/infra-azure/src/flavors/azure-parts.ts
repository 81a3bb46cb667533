import { Label } from "@capstan/contract";
import { clusterManifest, indented, manifest, templateSpec } from "@capstan/kit/flavors";
import { apiVersionOf } from "@capstan/schema";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";

const apiVersion = apiVersionOf(AzureCluster);

/** A month of what the flavors make by default. */
export const azureCosts =
  "in West Europe 109 USD a month for each machine with its disk, less for spot instances, and 58 for load balancer, NAT gateway and addresses (https://prices.azure.com/api/retail/prices; capstan plan adds them up)";

/** The range of Pods. */
export const pods = "${POD_CIDR:=10.244.0.0/16}";

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

/** Servers take registrations at a port of their own, beside that of the API server. */
const registrationNetwork = (port: number): string => `networkSpec:
  additionalAPIServerLBPorts:
    - name: registration
      port: ${port}
  subnets:
    - name: \${CLUSTER_NAME}-controlplane-subnet
      role: control-plane
      securityGroup:
        name: \${CLUSTER_NAME}-controlplane-nsg
        securityRules:
          - name: allow_registration
            description: Registration of servers and agents
            direction: Inbound
            priority: 2202
            protocol: Tcp
            source: "*"
            sourcePorts: "*"
            destination: "*"
            destinationPorts: "${port}"
            action: Allow
    - name: \${CLUSTER_NAME}-node-subnet
      role: node
`;

/** Machines of an internal API server have no way out by its load balancer: another one is for what leaves. */
const internalNetwork = `networkSpec:
  apiServerLB:
    type: Internal
  controlPlaneOutboundLB:
    frontendIPsCount: 1
`;

/** The cloud provider's configuration, an entry of `files`. Its Secret is kept for an AzureMachine, or for the template of several. */
export const cloudConfigFile = (
  owner: string,
  role: "control-plane" | "worker-node",
): string => `- path: /etc/kubernetes/azure.json
  owner: root:root
  permissions: "0644"
  contentFrom:
    secret:
      name: ${owner}-azure-json
      key: ${role}-azure.json
`;

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

/** Returns the manifests of a flavor that precede its Machines. */
export const clusterParts = ({
  controlPlane,
  isInternal = false,
  registrationPort,
}: {
  /** Kind of the control plane; none: Machines that stand alone. */
  readonly controlPlane?: string;
  /** The API server is reached inside of the network alone. */
  readonly isInternal?: boolean;
  readonly registrationPort?: number;
}): readonly string[] => {
  const network = registrationPort === undefined ? "" : registrationNetwork(registrationPort);
  return [
    credentials,
    identity,
    clusterManifest({
      infrastructure: "AzureCluster",
      ...(controlPlane !== undefined && { controlPlane }),
      pods,
      services: "${SERVICE_CIDR:=172.26.0.0/16}",
    }),
    manifest(
      { apiVersion, kind: "AzureCluster", name: "${CLUSTER_NAME}" },
      location + (isInternal ? internalNetwork : network),
    ),
  ];
};

/** The machine of a control-plane Machine that stands alone. */
export const controlPlaneServer = (name: string): string =>
  manifest({ apiVersion, kind: "AzureMachine", name }, controlPlaneSize + disks + key);

/** Returns the AzureMachineTemplate of a control plane. */
export const controlPlaneTemplate = (name: string): string =>
  manifest({ apiVersion, kind: "AzureMachineTemplate", name }, templateSpec(controlPlaneSize + disks + key));

/** Returns the AzureMachineTemplate of the workers. */
export const workersTemplate = (name: string, isSpot = false): string =>
  manifest(
    { apiVersion, kind: "AzureMachineTemplate", name },
    templateSpec(workerSize + disks + (isSpot ? spot : "") + key),
  );

/** A scale set of workers. */
export const poolOfWorkers = (name: string): string =>
  manifest(
    { apiVersion, kind: "AzureMachinePool", name },
    `location: \${AZURE_LOCATION:=westeurope}\ntemplate:\n${indented(workerSize + disks + key, 2)}`,
  );
