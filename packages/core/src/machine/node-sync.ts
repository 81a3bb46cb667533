import { Annotation, Label, NodeSyncDomain } from "@capstan/contract";
import type { Machine } from "../api.ts";
import { controllerOf } from "@capstan/contract/wire";
import { syncedTaints } from "./node-taints.ts";
import type { Node } from "../object/workload-kinds.ts";
import type { NodeSyncOptions } from "../options.ts";

type Strings = Readonly<Record<string, string>>;

const domainOf = (key: string): string => (key.includes("/") ? key.slice(0, key.indexOf("/")) : "");

const within = (key: string, domain: string): boolean =>
  domainOf(key) === domain || domainOf(key).endsWith(`.${domain}`);

const matchesAny = (key: string, patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(key));

const pick = (all: Strings = {}, wanted: (key: string) => boolean): Strings =>
  Object.fromEntries(Object.entries(all).filter(([key]) => wanted(key)));

/** The labels of a Machine that its Node shall carry. */
export const syncedLabels = (machine: Machine, options: NodeSyncOptions): Strings =>
  pick(
    machine.metadata.labels,
    (key) =>
      domainOf(key) === NodeSyncDomain.role ||
      within(key, NodeSyncDomain.restriction) ||
      within(key, NodeSyncDomain.managed) ||
      matchesAny(key, options.additionalLabels),
  );

/** The annotations of a Machine that its Node shall carry. */
export const syncedAnnotations = (machine: Machine, options: NodeSyncOptions): Strings =>
  pick(
    machine.metadata.annotations,
    (key) => within(key, NodeSyncDomain.managed) || matchesAny(key, options.additionalAnnotations),
  );

const keyList = (values: Strings): string => Object.keys(values).sort().join(",");

const trackedKeys = (node: Node, annotation: string): readonly string[] =>
  (node.metadata.annotations?.[annotation] ?? "").split(",").filter((key) => key !== "");

/** Merge-patch entries that turn `actual` into `wanted`, dropping keys that were once ours. */
const difference = (
  actual: Strings = {},
  wanted: Strings,
  ours: readonly string[],
): Readonly<Record<string, string | null>> => ({
  ...Object.fromEntries(ours.filter((key) => key in actual && !(key in wanted)).map((key) => [key, null])),
  ...Object.fromEntries(Object.entries(wanted).filter(([key, value]) => actual[key] !== value)),
});

/**
 * The one merge patch that carries everything a Machine says about its Node, or `undefined` when the Node has it all.
 * It holds the Node's resourceVersion, because the kubelet writes to the same object.
 */
export const nodePatch = (input: {
  readonly node: Node;
  /** The Machine; without a name, what each machine of a pool is. */
  readonly machine: Machine;
  /** The infrastructure may take the machine away at any time. */
  readonly interruptible: boolean;
  /** The Machine's set is of an older revision than its deployment; `undefined` when that cannot be told. */
  readonly outdated: boolean | undefined;
  readonly options: NodeSyncOptions;
}): Readonly<Record<string, unknown>> | undefined => {
  const { node, machine, options } = input;
  const owner = controllerOf(machine);
  const fromLabels = syncedLabels(machine, options);
  const fromAnnotations = syncedAnnotations(machine, options);
  const before = node.spec?.taints ?? [];
  const { taints, tracked } = syncedTaints({
    taints: before,
    wanted: machine.spec.taints ?? [],
    tracked: node.metadata.annotations?.[Annotation.nodeTaintsFromMachine],
    outdated: input.outdated,
  });
  const labels = difference(
    node.metadata.labels,
    input.interruptible ? { ...fromLabels, [Label.interruptible]: "" } : fromLabels,
    trackedKeys(node, Annotation.nodeLabelsFromMachine),
  );
  const annotations = difference(
    node.metadata.annotations,
    {
      ...fromAnnotations,
      [Annotation.nodeClusterName]: machine.spec.clusterName,
      [Annotation.nodeClusterNamespace]: machine.metadata.namespace ?? "",
      ...(machine.metadata.name === undefined ? {} : { [Annotation.nodeMachine]: machine.metadata.name }),
      ...(owner === undefined
        ? {}
        : { [Annotation.nodeOwnerKind]: owner.kind, [Annotation.nodeOwnerName]: owner.name }),
      [Annotation.nodeLabelsFromMachine]: keyList(fromLabels),
      [Annotation.nodeAnnotationsFromMachine]: keyList(fromAnnotations),
      [Annotation.nodeTaintsFromMachine]: tracked,
    },
    trackedKeys(node, Annotation.nodeAnnotationsFromMachine),
  );
  const taintsDiffer = taints !== before;
  if (Object.keys(labels).length === 0 && Object.keys(annotations).length === 0 && !taintsDiffer) return undefined;
  return {
    metadata: {
      ...(node.metadata.resourceVersion === undefined ? {} : { resourceVersion: node.metadata.resourceVersion }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    ...(taintsDiffer ? { spec: { taints: taints.length === 0 ? null : taints } } : {}),
  };
};
