import type { ExtensionEnvironment, ExtensionFactory, ResourceDefinition } from "@capstan/apiserver";
import { rfc3339 } from "@capstan/contract";
import { formatQuantity, type Quantity, parseQuantity } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { objectMetaSchema, type StructuralSchema } from "@capstan/schema/structural";
import { conditionOf } from "../kinds/pod-state.ts";
import type { PodObject } from "../kinds/workload-kinds.ts";

const group = "metrics.k8s.io";
const version = "v1beta1";
const window = "15s";

/** Usage of a container without requests, and of the programs of a Node itself. */
const idle = { cpu: "1m", memory: "16Mi" };
const ofNode = { cpu: "60m", memory: "512Mi" };

type Usage = Readonly<Record<"cpu" | "memory", string>>;

const sum = (usages: readonly Usage[]): Usage => {
  const total = (name: "cpu" | "memory", form: Quantity["form"]): string =>
    formatQuantity({
      nanos: usages.reduce((nanos, usage) => nanos + (parseQuantity(usage[name])?.nanos ?? 0n), 0n),
      form,
    });
  return { cpu: total("cpu", "decimal"), memory: total("memory", "binary") };
};

/** A container uses what it asks for. */
const containerUsage = ({ resources }: { readonly resources?: { readonly requests?: Partial<Usage> } }): Usage => ({
  ...idle,
  ...resources?.requests,
});

type Metered = PodObject & {
  readonly spec: { readonly containers: readonly Parameters<typeof containerUsage>[0][] };
};

const isRunning = ({ status }: PodObject): boolean => status?.phase === "Running";

const podMetrics = (pod: Metered, timestamp: string): KubeObject => {
  const { name = "", namespace = "", labels } = pod.metadata;
  return {
    apiVersion: `${group}/${version}`,
    kind: "PodMetrics",
    metadata: { name, namespace, creationTimestamp: timestamp, ...(labels !== undefined && { labels }) },
    timestamp,
    window,
    containers: pod.spec.containers.map((container) => ({ name: container.name, usage: containerUsage(container) })),
  };
};

const nodeMetrics = ({ metadata }: KubeObject, pods: readonly Metered[], timestamp: string): KubeObject => ({
  apiVersion: `${group}/${version}`,
  kind: "NodeMetrics",
  metadata: {
    name: metadata.name ?? "",
    creationTimestamp: timestamp,
    ...(metadata.labels !== undefined && { labels: metadata.labels }),
  },
  timestamp,
  window,
  usage: sum([ofNode, ...pods.flatMap(({ spec }) => spec.containers.map(containerUsage))]),
});

const text: StructuralSchema = { type: "string" };
const usage: StructuralSchema = {
  type: "object",
  additionalProperties: { "x-kubernetes-int-or-string": true, pattern: "^[0-9.]+[A-Za-z]*$" },
};

const schemaOf = (properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema => ({
  type: "object",
  properties: {
    apiVersion: text,
    kind: text,
    metadata: objectMetaSchema,
    timestamp: { type: "string", format: "date-time" },
    window: text,
    ...properties,
  },
});

const definition = (
  kind: string,
  plural: string,
  properties: Readonly<Record<string, StructuralSchema>>,
  virtual: NonNullable<ResourceDefinition["virtual"]>,
): ResourceDefinition => ({
  group,
  version,
  kind,
  listKind: `${kind}List`,
  plural,
  singular: "",
  shortNames: [],
  categories: [],
  namespaced: plural === "pods",
  verbs: ["get", "list"],
  origin: "builtin",
  schema: schemaOf(properties),
  subresources: [],
  selectableFields: {},
  columns: [],
  strategy: {},
  storage: { store: `${group}/${plural}`, apiVersion: `${group}/${version}` },
  virtual,
});

const isNodeReady = (node: KubeObject): boolean => conditionOf(node as PodObject, "Ready")?.status === "True";

const definitions = ({ clock, store }: ExtensionEnvironment): readonly ResourceDefinition[] => {
  const now = (): string => rfc3339(clock.now());
  const running = (namespace?: string): readonly Metered[] =>
    (store.peekAll({ group: "", plural: "pods" }, namespace ? { namespace } : {}) as readonly Metered[]).filter(
      isRunning,
    );
  const measure = (node: KubeObject): KubeObject => {
    const pods = running().filter(({ spec }) => spec.nodeName === node.metadata.name);
    return nodeMetrics(node, pods, now());
  };
  return [
    definition(
      "NodeMetrics",
      "nodes",
      { usage },
      {
        get: async ({ name }) => {
          const node = store.peek({ group: "", plural: "nodes" }, { name });
          return node !== undefined && isNodeReady(node) ? measure(node) : undefined;
        },
        list: async () => store.peekAll({ group: "", plural: "nodes" }).filter(isNodeReady).map(measure),
      },
    ),
    definition(
      "PodMetrics",
      "pods",
      { containers: { type: "array", items: { type: "object", properties: { name: text, usage } } } },
      {
        get: async ({ name, namespace }) => {
          const pod = running(namespace).find(({ metadata }) => metadata.name === name);
          return pod === undefined ? undefined : podMetrics(pod, now());
        },
        list: async ({ namespace }) => running(namespace).map((pod) => podMetrics(pod, now())),
      },
    ),
  ];
};

/**
 * Serves `metrics.k8s.io`, for `kubectl top`: containers of Pods that run use what they ask for, and a ready Node what its Pods use and a
 * little more.
 */
export const metricsApi: ExtensionFactory = (environment) => ({
  name: "metrics",
  definitions: definitions(environment),
});
