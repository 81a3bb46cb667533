import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";

const time = "2026-01-01T00:00:00Z";
const conditionTypes =
  "Available Ready UpToDate BootstrapConfigReady InfrastructureReady NodeHealthy NodeReady Paused Deleting";

const conditions = (index: number): readonly object[] =>
  conditionTypes.split(" ").map((type) => ({
    type,
    status: index % 7 === 0 && type === "Ready" ? "False" : "True",
    reason: type,
    message: index % 7 === 0 ? `Machine number ${index} waits for its Node to become healthy` : "",
    lastTransitionTime: time,
    observedGeneration: 3,
  }));

/** Field ownership by three managers, whose keys are what makes it large. */
const managedFields = (uid: string): readonly object[] =>
  ["capi-machineset", "manager", "capi-machine"].map((manager) => ({
    manager,
    operation: "Update",
    apiVersion: "cluster.x-k8s.io/v1beta2",
    time,
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:metadata": {
        "f:labels": { ".": {}, "f:cluster.x-k8s.io/cluster-name": {}, "f:cluster.x-k8s.io/set-name": {} },
        "f:ownerReferences": { [`k:{"uid":"${uid}"}`]: {} },
      },
      "f:status": {
        "f:conditions": Object.fromEntries(
          conditionTypes
            .split(" ")
            .map((type) => [`k:{"type":"${type}"}`, { ".": {}, "f:status": {}, "f:reason": {}, "f:message": {} }]),
        ),
      },
    },
  }));

const specs: Readonly<Record<string, (index: number) => Readonly<Record<string, unknown>>>> = {
  Secret: () => ({ type: "cluster.x-k8s.io/secret", data: { value: "A".repeat(8192), format: "Y2xvdWQtY29uZmln" } }),
  Node: (index) => ({
    spec: { providerID: `linode://${index}`, podCIDR: "10.0.0.0/24" },
    status: {
      conditions: conditions(index),
      images: Array.from({ length: 25 }, (_, image) => ({
        names: [
          `registry.k8s.io/image-${image}@sha256:${"0123456789abcdef".repeat(4)}`,
          `registry.k8s.io/image-${image}:v1`,
        ],
        sizeBytes: 1_000_000 * image,
      })),
    },
  }),
};

const machineLike = (index: number): Readonly<Record<string, unknown>> => ({
  spec: {
    clusterName: `cluster-${index % 1000}`,
    version: "v1.34.0",
    providerID: `linode://${index}`,
    bootstrap: { configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfig", name: `m-${index}` } },
    infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeMachine", name: `m-${index}` },
  },
  status: {
    phase: "Running",
    nodeRef: { name: `node-${index}` },
    addresses: [
      { type: "ExternalIP", address: `198.51.100.${index % 256}` },
      { type: "InternalIP", address: `10.0.${index % 256}.${(index >> 8) % 256}` },
    ],
    conditions: conditions(index),
    observedGeneration: 3,
  },
});

/** One object with the fields and the size that real ones have. */
export const synthetic = (kind: Resource, index: number, version: number): KubeObject => {
  const uid = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name: `m-${index}`,
      ...(kind.namespaced ? { namespace: "default" } : {}),
      uid,
      resourceVersion: String(version),
      generation: 3,
      creationTimestamp: time,
      labels: {
        "cluster.x-k8s.io/cluster-name": `cluster-${index % 1000}`,
        "cluster.x-k8s.io/set-name": `set-${index % 1000}`,
      },
      ownerReferences: [
        { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Machine", name: `m-${index}`, uid, controller: true },
      ],
      ...({ managedFields: managedFields(uid) } as object),
    },
    ...(specs[kind.kind] ?? machineLike)(index),
  };
};

/** As a server answers one who asks for metadata only, as the cache does for Secrets. */
export const asAsked = (object: KubeObject, metadataOnly: boolean): KubeObject =>
  metadataOnly ? { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata: object.metadata } : object;
