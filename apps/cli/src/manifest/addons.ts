import type { ManifestObject } from "@capstan/apiserver";
import { Group } from "@capstan/contract";
import { ClusterResource, valueAt } from "@capstan/contract/wire";
import { fromBase64, groupOf, selects } from "@capstan/kube-values";
import { isJsonObject, type KubeObject, type LabelSelector } from "@capstan/schema";
import { nameOf } from "./identity.ts";

/** Returns whether an object puts something into clusters by Cluster API's add-ons, such as ClusterResourceSets and HelmChartProxies. */
export const isAddon = ({ apiVersion }: Pick<KubeObject, "apiVersion">): boolean =>
  groupOf(apiVersion) === Group.addons;

/** Kinds of add-ons: what they provide, how they are recognized, and the state of a cluster without them. */
const parts: readonly { readonly what: string; readonly words: RegExp; readonly without: string }[] = [
  {
    what: "network plugin",
    words: /\b(?:antrea|calico|canal|cilium|cni|flannel|kube-?ovn|kube-router|tigera|weave)\b/i,
    without: "Nodes stay NotReady unless bootstrap data installs one",
  },
  {
    what: "cloud controller",
    words: /\bccm\b|\bcloud-(?:controller|node-manager|provider)/i,
    without: "Nodes of kubelets with cloud-provider external stay tainted and get no provider ID",
  },
  { what: "storage driver", words: /\bcsi\b/i, without: "PersistentVolumeClaims stay pending" },
];

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const record = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {});

/** The texts of a Secret or ConfigMap, where they bring something that runs. */
const workloadsIn = (object: KubeObject): readonly string[] => {
  const { data, stringData } = object as unknown as Readonly<Record<string, unknown>>;
  const texts = Object.values(record(data)).map(String);
  const plain = object.kind === "Secret" ? texts.map(fromBase64).filter((text) => text !== undefined) : texts;
  return [...plain, ...Object.values(record(stringData)).map(String)].filter((text) =>
    /^\s*kind: (?:DaemonSet|Deployment|StatefulSet)\s*$/m.test(text),
  );
};

/**
 * Returns the text that shows what an add-on provides: the chart that it installs, or the manifests that it refers to.
 */
const contentOf = (addon: KubeObject, all: readonly ManifestObject[]): string => {
  const chart = [valueAt(addon, "spec.chartName"), valueAt(addon, "spec.repoURL")].filter((each) => each !== undefined);
  const referred = list(valueAt(addon, "spec.resources")).map(record);
  const texts = all
    .filter(({ object: { kind, metadata } }) =>
      referred.some(
        (each) =>
          each["kind"] === kind &&
          each["name"] === metadata.name &&
          (metadata.namespace ?? "") === (addon.metadata.namespace ?? ""),
      ),
    )
    .flatMap(({ object }) => workloadsIn(object));
  return [...chart, ...texts].join("\n");
};

const namesOf = (addons: readonly KubeObject[]): string =>
  [...Map.groupBy(addons, ({ kind }) => kind)]
    .map(([kind, objects]) => `${kind} ${objects.map(({ metadata }) => metadata.name ?? "").join(", ")}`)
    .join("; ");

const clustersOf = (addons: readonly KubeObject[], all: readonly ManifestObject[]): readonly KubeObject[] =>
  all
    .map(({ object }) => object)
    .filter(({ apiVersion, kind }) => kind === ClusterResource.kind && groupOf(apiVersion) === Group.core)
    .filter(({ metadata }) =>
      addons.some(
        (addon) =>
          (addon.metadata.namespace ?? "") === (metadata.namespace ?? "") &&
          selects(valueAt(addon, "spec.clusterSelector") as LabelSelector | undefined, metadata.labels),
      ),
    );

/**
 * Says which add-ons are left out, as nothing serves their kinds, and what their clusters lack for it. `all`: the manifests that they are
 * among. `undefined` where there are none.
 */
export const leftOutWords = (addons: readonly ManifestObject[], all: readonly ManifestObject[]): string | undefined => {
  if (addons.length === 0) return undefined;
  const objects = addons.map(({ object }) => object);
  const lacking = parts.flatMap(({ what, words, without }) => {
    const bringing = objects.filter((addon) => words.test(contentOf(addon, all)));
    const names = clustersOf(bringing, all).map(nameOf);
    const of = names.length === 0 ? "" : ` for ${names.join(", ")}`;
    return bringing.length === 0 ? [] : [`no ${what}${of}: ${without}`];
  });
  return [
    `skipped, because nothing serves these kinds here: ${namesOf(objects)}`,
    ...lacking,
    "their contents are not installed: apply them to the cluster with helm or kubectl once its API server is reachable, or include them in bootstrap data",
  ].join("\n  ");
};
