import { createHash } from "node:crypto";
import { rfc3339 } from "@capstan/contract";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { withConditions } from "../kinds/pod-state.ts";
import type { Condition, PodSpec } from "../kinds/workload-kinds.ts";

const group = "helm.cattle.io";

export interface HelmChartObject extends KubeObject {
  readonly spec: {
    readonly bootstrap?: boolean;
    readonly chart?: string;
    readonly repo?: string;
    readonly targetNamespace?: string;
    readonly version?: string;
  };
  readonly status?: { readonly jobName?: string; readonly conditions?: readonly Condition[] };
}

export const HelmChart = resource<HelmChartObject>({ group, version: "v1", kind: "HelmChart", plural: "helmcharts" });

const HelmChartConfig = resource({ group, version: "v1", kind: "HelmChartConfig", plural: "helmchartconfigs" });

const definition = ({ kind, plural }: Resource): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});

/** Definitions of the kinds by which k3s and RKE2 install Helm charts. */
export const helmDefinitions: readonly KubeObject[] = [HelmChart, HelmChartConfig].map(definition);

const exists = (key: string, effect: string) => ({ key, operator: "Exists", effect });

/** With `bootstrap`, charts are installed before there is a network, and before the cloud controller knows the Node. */
const bootstrapPlace: Partial<PodSpec> = {
  hostNetwork: true,
  nodeSelector: { "node-role.kubernetes.io/control-plane": "true" },
  tolerations: [
    exists("node.kubernetes.io/not-ready", "NoSchedule"),
    exists("node.cloudprovider.kubernetes.io/uninitialized", "NoSchedule"),
    exists("node-role.kubernetes.io/etcd", "NoExecute"),
    exists("node-role.kubernetes.io/control-plane", "NoSchedule"),
  ],
};

const hashAnnotation = "helmcharts.helm.cattle.io/configHash";

/** The Job that installs a chart. */
export const installJob = ({ metadata, spec }: HelmChartObject): KubeObject => {
  const { name = "", namespace = "" } = metadata;
  const { bootstrap = false, chart = "", repo = "", targetNamespace = namespace, version = "" } = spec;
  const env = Object.entries({
    NAME: name,
    VERSION: version,
    REPO: repo,
    CHART: chart,
    TARGET_NAMESPACE: targetNamespace,
  });
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: `helm-install-${name}`,
      namespace,
      labels: { "helmcharts.helm.cattle.io/chart": name },
      annotations: { [hashAnnotation]: configHash(spec) },
    },
    spec: {
      backoffLimit: 1000,
      template: {
        metadata: { labels: { "helmcharts.helm.cattle.io/chart": name } },
        spec: {
          restartPolicy: "OnFailure",
          ...(bootstrap ? bootstrapPlace : {}),
          containers: [
            {
              name: "helm",
              image: "rancher/klipper-helm:simulated",
              args: ["install"],
              env: env.map(([variable, value]) => ({ name: variable, value })),
            },
          ],
        },
      },
    },
  };
};

const configHash = (spec: HelmChartObject["spec"]): string =>
  `SHA256=${createHash("sha256").update(JSON.stringify(spec)).digest("hex").toUpperCase()}`;

/** True for a Job that installs the chart as its spec is now. */
export const installs = ({ metadata }: KubeObject, { spec }: HelmChartObject): boolean =>
  metadata.annotations?.[hashAnnotation] === configHash(spec);

/** The status of a chart that is being installed, or that cannot be. */
export const chartStatus = (
  { metadata, status }: HelmChartObject,
  { failure, now }: { readonly failure: string | undefined; readonly now: number },
): NonNullable<HelmChartObject["status"]> => {
  const jobName = `helm-install-${metadata.name}`;
  const message = `Applying HelmChart using Job ${metadata.namespace}/${jobName}`;
  const changes: readonly Condition[] =
    failure === undefined
      ? [
          { type: "JobCreated", status: "True", reason: "Job created", message },
          { type: "Failed", status: "False", reason: "", message: "" },
        ]
      : [
          { type: "JobCreated", status: "False", reason: "Job created", message: "" },
          { type: "Failed", status: "True", reason: "InstallationFailed", message: failure },
        ];
  const conditions = withConditions(status?.conditions, changes, rfc3339(now));
  return { ...(failure === undefined && { jobName }), conditions };
};
