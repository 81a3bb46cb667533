import { Label } from "@capstan/contract";
import { clusterManifest, manifest, templateSpec } from "@capstan/kit/flavors";
import { apiVersionOf } from "@capstan/schema";
import { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { cloudControllerSecret, cloudControllerSecretName } from "./cloud-controller.ts";

const credentials = `apiVersion: v1
kind: Secret
metadata:
  name: \${CLUSTER_NAME}-credentials
  labels:
    ${Label.move}: "true"
stringData:
  apiToken: $\${LINODE_TOKEN}
  LINODE_URL: $\${LINODE_URL:=https://api.linode.com}
`;

/** Keys for an API client of Akamai, in addition to the token. */
const edgeGridKeys = `  AKAMAI_HOST: $\${AKAMAI_HOST}
  AKAMAI_ACCESS_TOKEN: $\${AKAMAI_ACCESS_TOKEN}
  AKAMAI_CLIENT_TOKEN: $\${AKAMAI_CLIENT_TOKEN}
  AKAMAI_CLIENT_SECRET: $\${AKAMAI_CLIENT_SECRET}
`;

const objectStore = `apiVersion: v1
kind: Secret
metadata:
  name: \${CLUSTER_NAME}-object-store
  labels:
    ${Label.move}: "true"
stringData:
  bucket: $\${OBJECT_STORE_BUCKET}
  endpoint: $\${OBJECT_STORE_ENDPOINT}
  access: $\${OBJECT_STORE_ACCESS_KEY}
  secret: $\${OBJECT_STORE_SECRET_KEY}
`;

/** A month of what the flavors make by default. */
export const linodeCosts =
  "in us-ord 24 USD a month for each Machine of the control plane, 12 for each worker, 10 for the NodeBalancer (https://api.linode.com/v4/linode/types, https://api.linode.com/v4/nodebalancers/types)";

/** The range of Pods. */
export const pods = "${K8S_CLUSTER_CIDR:=10.244.0.0/16}";

const cluster = (controlPlane: string | undefined): string =>
  clusterManifest({
    infrastructure: "LinodeCluster",
    ...(controlPlane !== undefined && { controlPlane }),
    pods,
    services: "${K8S_SERVICE_CIDR:=10.96.0.0/16}",
  });

/** Parts of a cluster's infrastructure that differ between flavors. */
export interface LinodeParts {
  /** Kind of the control plane; none: Machines that stand alone. */
  readonly controlPlane?: string;
  /** The cloud controller gets the token for Linode. */
  readonly hasCloudController?: boolean;
  /** `store`: the user's own; `bucket`: one that is made with the cluster. Default: none, so that bootstrap data has to be small. */
  readonly objectStore?: "store" | "bucket";
  /** A VPC of its own, with firewalls before the machines and the NodeBalancer. */
  readonly hasNetwork?: boolean;
  /** The endpoint is a name in a zone there instead of a NodeBalancer. */
  readonly dnsEndpoint?: "linode" | "akamai";
  /** Ports of the NodeBalancer in addition to the API server's. */
  readonly additionalPorts?: readonly number[];
}

const apiVersion = apiVersionOf(LinodeCluster);

const credentialsRef = "credentialsRef:\n  name: ${CLUSTER_NAME}-credentials\n";

const labels = { [Label.clusterName]: "${CLUSTER_NAME}" };

const infrastructure = (parts: LinodeParts): string => {
  const { additionalPorts = [], dnsEndpoint, hasNetwork = false, objectStore: store } = parts;
  const network = [
    ...(additionalPorts.length === 0 ? [] : ["  additionalPorts:\n"]),
    ...additionalPorts.map((port) => `    - port: ${port}\n`),
    ...(hasNetwork ? ["  subnetName: default\n"] : []),
    ...(dnsEndpoint === undefined
      ? []
      : [`  loadBalancerType: dns\n  dnsProvider: ${dnsEndpoint}\n  dnsRootDomain: \${DNS_ROOT_DOMAIN}\n`]),
  ];
  const spec = [
    `region: \${LINODE_REGION:=us-ord}\n${credentialsRef}`,
    ...(network.length === 0 ? [] : ["network:\n", ...network]),
    ...(hasNetwork ? ["vpcRef:\n  name: ${CLUSTER_NAME}\n"] : []),
    ...(hasNetwork && dnsEndpoint === undefined ? ["nodeBalancerFirewallRef:\n  name: ${CLUSTER_NAME}-nb\n"] : []),
    ...(store === undefined
      ? []
      : [
          `objectStore:
  presignedURLDuration: 24h
  credentialsRef:
    name: \${CLUSTER_NAME}-${store === "store" ? "object-store" : "obj-key"}
`,
        ]),
  ];
  return manifest({ apiVersion, kind: "LinodeCluster", name: "${CLUSTER_NAME}" }, spec.join(""));
};

const rule = (label: string, protocol: string, addresses: string, ports?: string): string => `- action: ACCEPT
  label: ${label}
  protocol: ${protocol}
${ports === undefined ? "" : `  ports: "${ports}"\n`}  addresses:
${addresses}`;

const inVpc = "    ipv4: [${VPC_NETWORK_CIDR:=10.0.0.0/8}]\n";
const fromBalancers = "    ipv4: [192.168.255.0/24]\n";
const fromAnywhere = '    ipv4: [0.0.0.0/0]\n    ipv6: ["::/0"]\n';

const firewall = (name: string, rules: readonly string[]): string =>
  manifest(
    { apiVersion, kind: "LinodeFirewall", name, labels },
    `${credentialsRef}enabled: true\ninboundPolicy: DROP\ninboundRules:\n${rules.join("")}`,
  );

const network = ({ dnsEndpoint }: LinodeParts): readonly string[] => [
  manifest(
    { apiVersion, kind: "LinodeVPC", name: "${CLUSTER_NAME}", labels },
    `region: \${LINODE_REGION:=us-ord}
${credentialsRef}subnets:
  - label: default
    ipv4: \${VPC_NETWORK_CIDR:=10.0.0.0/8}
`,
  ),
  firewall("${CLUSTER_NAME}", [
    rule("intra-cluster-tcp", "TCP", inVpc, "1-65535"),
    rule("intra-cluster-udp", "UDP", inVpc, "1-65535"),
    rule("intra-cluster-icmp", "ICMP", inVpc),
    rule("inbound-api-server", "TCP", dnsEndpoint === undefined ? fromBalancers : fromAnywhere, "6443"),
  ]),
  ...(dnsEndpoint === undefined
    ? [firewall("${CLUSTER_NAME}-nb", [rule("inbound-api-server", "TCP", fromAnywhere, "6443")])]
    : []),
];

/** A bucket with its key, whose Secret the cluster's objectStore names. */
const bucket: readonly string[] = [
  manifest(
    { apiVersion, kind: "LinodeObjectStorageBucket", name: "${CLUSTER_NAME}", labels },
    `region: \${OBJ_BUCKET_REGION:=\${LINODE_REGION:=us-ord}}
${credentialsRef}forceDeleteBucket: true
accessKeyRef:
  name: \${CLUSTER_NAME}
`,
  ),
  manifest(
    { apiVersion, kind: "LinodeObjectStorageKey", name: "${CLUSTER_NAME}", labels },
    `${credentialsRef}bucketAccess:
  - bucketName: \${CLUSTER_NAME}
    permissions: read_write
    region: \${OBJ_BUCKET_REGION:=\${LINODE_REGION:=us-ord}}
generatedSecret:
  format:
    bucket: "{{ .BucketName }}"
    endpoint: "{{ .S3Endpoint }}"
    access: "{{ .AccessKey }}"
    secret: "{{ .SecretKey }}"
`,
  ),
];

/** Returns the manifests of a flavor that come before its Machines: credentials, Cluster and its infrastructure. */
export const clusterParts = (parts: LinodeParts): readonly string[] => [
  parts.dnsEndpoint === "akamai" ? credentials + edgeGridKeys : credentials,
  ...(parts.objectStore === "store" ? [objectStore] : []),
  ...(parts.objectStore === "bucket" ? bucket : []),
  ...(parts.hasCloudController === true ? [cloudControllerSecret(cloudControllerSecretName)] : []),
  cluster(parts.controlPlane),
  infrastructure(parts),
  ...(parts.hasNetwork === true ? network(parts) : []),
];

const server = (type: string, { hasNetwork = false }: LinodeParts): string => `region: \${LINODE_REGION:=us-ord}
type: ${type}
image: \${LINODE_OS:=linode/ubuntu22.04}
${hasNetwork ? "firewallRef:\n  name: ${CLUSTER_NAME}\ninterfaces:\n  - purpose: public\n" : ""}`;

/** The server of a Machine of the control plane. */
export const controlPlaneServer = (name: string, parts: LinodeParts = {}): string =>
  manifest(
    { apiVersion, kind: "LinodeMachine", name },
    server("${LINODE_CONTROL_PLANE_MACHINE_TYPE:=g6-standard-2}", parts),
  );

/** Returns the template for the servers of a control plane. */
export const controlPlaneTemplate = (name: string, parts: LinodeParts = {}): string =>
  manifest(
    { apiVersion, kind: "LinodeMachineTemplate", name },
    templateSpec(server("${LINODE_CONTROL_PLANE_MACHINE_TYPE:=g6-standard-2}", parts)),
  );

/** Returns the template for the servers of workers. */
export const workersTemplate = (name: string, parts: LinodeParts = {}): string =>
  manifest(
    { apiVersion, kind: "LinodeMachineTemplate", name },
    templateSpec(server("${LINODE_MACHINE_TYPE:=g6-standard-1}", parts)),
  );
