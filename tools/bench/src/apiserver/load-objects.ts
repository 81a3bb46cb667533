const group = "bench.capstan.test";

export const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `servers.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "servers", kind: "Server" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["region"],
                properties: {
                  region: { type: "string", minLength: 1, maxLength: 32 },
                  size: { type: "string", enum: ["small", "large"], default: "small" },
                  image: { type: "string", maxLength: 256 },
                  replicas: { type: "integer", format: "int32", minimum: 0 },
                  notes: { type: "string", maxLength: 4096 },
                  disks: {
                    type: "array",
                    maxItems: 16,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    items: {
                      type: "object",
                      required: ["name"],
                      properties: {
                        name: { type: "string", maxLength: 63 },
                        sizeGiB: { type: "integer", default: 10 },
                      },
                    },
                  },
                },
                "x-kubernetes-validations": [
                  { rule: "!has(oldSelf.image) || has(self.image)", message: "image cannot be removed" },
                  { rule: "self.region == oldSelf.region", message: "region is immutable" },
                ],
              },
              status: {
                type: "object",
                properties: {
                  phase: { type: "string" },
                  observedGeneration: { type: "integer", format: "int64" },
                  conditions: {
                    type: "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["type"],
                    items: {
                      type: "object",
                      required: ["type", "status"],
                      properties: {
                        type: { type: "string" },
                        status: { type: "string", enum: ["True", "False", "Unknown"] },
                        reason: { type: "string" },
                        message: { type: "string" },
                        lastTransitionTime: { type: "string", format: "date-time" },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

const payload = "x".repeat(1_000);

export const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

/** 1.2 KB as stored. */
export const configMap = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { app: "bench" } },
  data: { payload },
});

export const servers = (namespace: string): string => `/apis/${group}/v1/namespaces/${namespace}/servers`;

/** A custom resource of about 1.2 KB, as an author of a provider would write one. */
export const server = (name: string, replicas = 1) => ({
  apiVersion: `${group}/v1`,
  kind: "Server",
  metadata: { name, labels: { app: "bench", owner: "somebody" } },
  spec: {
    region: "us-ord",
    image: "registry.example/image:1",
    replicas,
    notes: payload.slice(0, 600),
    disks: [{ name: "root", sizeGiB: 20 }, { name: "data" }],
  },
});

/** Returns the status that a controller writes: a phase and four conditions, one of which changes every turn. */
export const serverStatus = (turn: number) => ({
  status: {
    phase: "Running",
    observedGeneration: turn,
    conditions: ["Ready", "Provisioned", "Reachable", "Healthy"].map((type) => ({
      type,
      status: "True",
      reason: "AsExpected",
      message: type === "Ready" ? `turn ${turn}` : "",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    })),
  },
});
