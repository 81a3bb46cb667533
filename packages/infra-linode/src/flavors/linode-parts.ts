import { Label } from "@capstan/contract";
import { clusterManifest, manifest, templateSpec } from "@capstan/kit/flavors";
import { apiVersionOf } from "@capstan/schema";
import { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";

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

const cluster = clusterManifest({
  infrastructure: "LinodeCluster",
  pods: "${K8S_CLUSTER_CIDR:=10.244.0.0/16}",
  services: "${K8S_SERVICE_CIDR:=10.96.0.0/16}",
});

const infrastructure = (additionalPorts: readonly number[]): string => `apiVersion: ${apiVersionOf(LinodeCluster)}
kind: LinodeCluster
metadata:
  name: \${CLUSTER_NAME}
spec:
  region: \${LINODE_REGION:=us-ord}
  credentialsRef:
    name: \${CLUSTER_NAME}-credentials
${additionalPorts.length === 0 ? "" : `  network:\n    additionalPorts:\n${additionalPorts.map((port) => `      - port: ${port}\n`).join("")}`}`;

const storedBootstrapData = `  objectStore:
    presignedURLDuration: 24h
    credentialsRef:
      name: \${CLUSTER_NAME}-object-store
`;

/** What a flavor has before its Machines: credentials, Cluster and its infrastructure. */
export const clusterParts = (options: {
  /** Bootstrap data that is too large for user-data goes to an object store. */
  readonly hasObjectStore: boolean;
  /** Of the NodeBalancer, beside that of the API server. */
  readonly additionalPorts?: readonly number[];
}): readonly string[] => [
  credentials,
  ...(options.hasObjectStore ? [objectStore] : []),
  cluster,
  infrastructure(options.additionalPorts ?? []) + (options.hasObjectStore ? storedBootstrapData : ""),
];

const apiVersion = apiVersionOf(LinodeCluster);

const server = (type: string): string => `region: \${LINODE_REGION:=us-ord}
type: ${type}
image: \${LINODE_OS:=linode/ubuntu22.04}
`;

/** The server of a Machine of the control plane. */
export const controlPlaneServer = (name: string): string =>
  manifest({ apiVersion, kind: "LinodeMachine", name }, server("${LINODE_CONTROL_PLANE_MACHINE_TYPE:=g6-standard-2}"));

/** What the servers of workers are made from. */
export const workersTemplate = (name: string): string =>
  manifest(
    { apiVersion, kind: "LinodeMachineTemplate", name },
    templateSpec(server("${LINODE_MACHINE_TYPE:=g6-standard-1}")),
  );
