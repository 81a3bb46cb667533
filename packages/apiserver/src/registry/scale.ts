import { presentFields } from "@capstan/kube-values";
import { jsonText } from "@capstan/schema/structural";
import type { KubeObject, ObjectMeta } from "@capstan/schema";
import { invalid } from "../model/status-error.ts";
import type { ResourceDefinition, ScalePaths } from "../model/types.ts";

const members = (path: string): readonly string[] => path.split(".").filter((part) => part !== "");

const valueAt = (object: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, member) =>
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[member] : undefined,
    object,
  );

const withValueAt = (
  object: Readonly<Record<string, unknown>>,
  [member, ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> => {
  if (member === undefined) {
    return object;
  }
  const inner = object[member];
  const next = typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
  return { ...object, [member]: rest.length === 0 ? value : withValueAt(next, rest, value) };
};

const replicas = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Zero is left out where it is wished for, as in Kubernetes. */
const wish = (value: unknown): Readonly<Record<string, unknown>> =>
  replicas(value) === 0 ? {} : { replicas: replicas(value) };

/** The Scale view (autoscaling/v1) of an object. */
export const scaleOf = (object: KubeObject, paths: ScalePaths): KubeObject => {
  const selector =
    paths.selectorOf?.(object) ??
    (paths.labelSelectorPath === undefined ? undefined : valueAt(object, members(paths.labelSelectorPath)));
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: presentFields<ObjectMeta>({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: wish(valueAt(object, members(paths.specReplicasPath))),
    status: presentFields({
      replicas: replicas(valueAt(object, members(paths.statusReplicasPath))),
      selector: typeof selector === "string" && selector !== "" ? selector : undefined,
    }),
  };
};

/** The object with the replicas of a Scale. Throws a 422; what is wrong for a custom kind, its validation says. */
export const scaled = (
  definition: ResourceDefinition,
  object: KubeObject,
  scale: KubeObject,
  paths: ScalePaths,
): KubeObject => {
  const wanted = valueAt(scale, ["spec", "replicas"]) ?? 0;
  const isChecked = definition.origin === "builtin";
  if (isChecked && (typeof wanted !== "number" || !Number.isInteger(wanted) || wanted < 0)) {
    throw invalid({ group: "autoscaling", plural: definition.plural, kind: "Scale" }, object.metadata.name ?? "", [
      {
        reason: "FieldValueInvalid",
        field: "spec.replicas",
        message: `Invalid value: ${jsonText(wanted)}: should be a non-negative integer`,
      },
    ]);
  }
  const changed = withValueAt(object, members(paths.specReplicasPath), wanted) as KubeObject;
  const { name, namespace, uid, resourceVersion } = scale.metadata;
  return {
    ...changed,
    metadata: presentFields<ObjectMeta>({
      ...object.metadata,
      name: name ?? object.metadata.name,
      namespace: namespace ?? object.metadata.namespace,
      uid: uid ?? object.metadata.uid,
      resourceVersion: resourceVersion ?? object.metadata.resourceVersion,
    }),
  };
};
