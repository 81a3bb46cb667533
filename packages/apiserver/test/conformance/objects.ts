/** Objects and paths of the cases. */
// oxlint-disable typescript/no-explicit-any -- test objects of many shapes
export const coreApi = "/api/v1";
export const group = "conf.capstan.test";
export const widgetApi = `/apis/${group}/v1`;

export const configMaps = (namespace: string): string => `${coreApi}/namespaces/${namespace}/configmaps`;
export const secrets = (namespace: string): string => `${coreApi}/namespaces/${namespace}/secrets`;
export const widgets = (namespace: string, version = "v1"): string =>
  `/apis/${group}/${version}/namespaces/${namespace}/widgets`;
export const gadgets = `${widgetApi}/gadgets`;
export const deployments = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;

export const configMap = (metadata: string | object, data?: Readonly<Record<string, unknown>>): any => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: typeof metadata === "string" ? { name: metadata } : metadata,
  ...(data === undefined ? {} : { data }),
});

export const widget = (metadata: string | object, spec: object = {}, more: object = {}): any => ({
  apiVersion: `${group}/v1`,
  kind: "Widget",
  metadata: typeof metadata === "string" ? { name: metadata } : metadata,
  spec,
  ...more,
});

export const gadget = (metadata: string | object, spec: object = {}): any => ({
  apiVersion: `${group}/v1`,
  kind: "Gadget",
  metadata: typeof metadata === "string" ? { name: metadata } : metadata,
  spec,
});

export const deployment = (name: string, spec: object = {}): any => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c1", image: "i:1", ports: [{ containerPort: 80 }] }] },
    },
    ...spec,
  },
});

export const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
export const partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
export const partialList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
export const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
