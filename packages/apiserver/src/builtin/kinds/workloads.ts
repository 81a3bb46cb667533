import { type KubeObject, sameJson } from "@capstan/schema";
import type { SubresourceDefinition } from "../../model/types.ts";
import { filled, filledUnset, isSet, listOf, type Part, partOf, specOf, textOf } from "../../values/object-parts.ts";
import { selectorText } from "../../values/selector.ts";
import { kindSchema } from "../types/type-schema.ts";
import { type Causes, forbidden } from "../validation/causes.ts";
import {
  controllerCauses,
  daemonSetCauses,
  deploymentCauses,
  loneTemplateCauses,
  selectorCauses,
  statefulSetCauses,
  templateCauses,
} from "../validation/workload.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { podSpecDefaults } from "./pod-defaults.ts";
import { templateDefaults, withTemplateDefaults } from "./pod-template.ts";
import { claimSpecDefaults } from "./volumes.ts";

const status: SubresourceDefinition = {
  name: "status",
  verbs: ["get", "patch", "update"],
  behaviour: { type: "status" },
};

const scale: SubresourceDefinition = {
  name: "scale",
  verbs: ["get", "patch", "update"],
  kind: { group: "autoscaling", version: "v1", kind: "Scale" },
  get schema() {
    return kindSchema("autoscaling", "Scale");
  },
  behaviour: {
    type: "scale",
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      selectorOf: (object) => {
        const { selector } = specOf(object);
        const isPlainMap = object.kind === "ReplicationController";
        return selectorText(isPlainMap ? { matchLabels: selector } : selector);
      },
    },
  },
};

const rolling = (strategy: unknown, rollingUpdate: Part): Part => {
  const part = filledUnset(partOf(strategy), { type: "RollingUpdate" });
  return part["type"] === "RollingUpdate"
    ? { ...part, rollingUpdate: filled(partOf(part["rollingUpdate"]), rollingUpdate) }
    : part;
};

/** A workload whose selector is fixed; `defaults` completes its spec, `causes` are those of its own fields. */
const workload = (
  defaults: (spec: Part) => Part,
  options: {
    readonly scalable: boolean;
    /** Its Pods are called by number, whatever the template calls them. */
    readonly namesPods?: boolean;
    /** Status of a new object. */
    readonly status: Part;
    readonly causes?: (spec: Part) => Causes;
    readonly updateCauses?: (object: KubeObject, old: KubeObject) => Causes;
    /** Returns the object with the additions of the server; `old` is the one before the update. */
    readonly prepare?: (object: KubeObject, old?: KubeObject) => KubeObject;
  },
): KindBehaviour => {
  const { prepare = (object: KubeObject) => object } = options;
  const validate = (object: KubeObject): Causes => [
    ...templateCauses(object, options.namesPods),
    ...(options.causes?.(specOf(object)) ?? []),
  ];
  return {
    applyDefaults: (object) => ({ ...object, spec: withTemplateDefaults(defaults(specOf(object))) }),
    strategy: {
      unconditionalUpdate: true,
      prepareForCreate: (object) => prepare({ ...object, status: options.status }),
      prepareForUpdate: (object, old) => prepare(object, old),
      validate,
      validateUpdate: (object, old, _context, subresource) =>
        subresource === "" ? [...validate(object), ...(options.updateCauses ?? selectorCauses)(object, old)] : [],
    },
    subresources: [...(options.scalable ? [scale] : []), status],
  };
};

/** Changes of annotations count as well: rollbacks once stood there. */
const withAnnotationsCounted = (object: KubeObject, old?: KubeObject): KubeObject => {
  const isSame = old === undefined || sameJson(object.metadata.annotations ?? {}, old.metadata.annotations ?? {});
  const generation = (old?.metadata.generation ?? 0) + 1;
  return isSame ? object : { ...object, metadata: { ...object.metadata, generation } };
};

export const deployments = workload(
  (spec) => ({
    ...filled(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
    strategy: rolling(spec["strategy"], { maxUnavailable: "25%", maxSurge: "25%" }),
  }),
  { scalable: true, status: {}, causes: deploymentCauses, prepare: withAnnotationsCounted },
);

export const replicaSets = workload((spec) => filled(spec, { replicas: 1 }), {
  scalable: true,
  status: { replicas: 0 },
});

const templateGeneration = "deprecated.daemonset.template.generation";

/** Counts the changes of a DaemonSet's template in a deprecated annotation. */
const withTemplateGeneration = (object: KubeObject, old?: KubeObject): KubeObject => {
  const countedIn = ({ metadata }: KubeObject): number =>
    Math.max(1, Number(metadata.annotations?.[templateGeneration]) || 1);
  const count =
    old === undefined
      ? countedIn(object)
      : countedIn(old) + (sameJson(specOf(object)["template"], specOf(old)["template"]) ? 0 : 1);
  const annotations = { ...object.metadata.annotations, [templateGeneration]: String(count) };
  return { ...object, metadata: { ...object.metadata, annotations } };
};

export const daemonSets = workload(
  (spec) => ({
    ...filled(spec, { revisionHistoryLimit: 10 }),
    updateStrategy: rolling(spec["updateStrategy"], { maxUnavailable: 1, maxSurge: 0 }),
  }),
  {
    scalable: false,
    status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    causes: daemonSetCauses,
    prepare: withTemplateGeneration,
  },
);

/** Fields of a StatefulSet's spec that updates may change. */
const statefulSetChangeable = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

const fixedFields = (object: KubeObject): Part =>
  Object.fromEntries(Object.entries(specOf(object)).filter(([field]) => !statefulSetChangeable.includes(field)));

/** As `rolling`; but of a strategy that says its type and no more nothing is filled in. */
const orderedRolling = (strategy: unknown): Part => {
  const part = partOf(strategy);
  return textOf(part["type"]) !== "" && !isSet(part["rollingUpdate"]) ? part : rolling(part, { partition: 0 });
};

const withClaimDefaults = (template: unknown): Part => ({
  ...filled(partOf(template), { kind: "PersistentVolumeClaim", apiVersion: "v1" }),
  status: filledUnset(partOf(partOf(template)["status"]), { phase: "Pending" }),
  spec: claimSpecDefaults(partOf(template)["spec"]),
});

export const statefulSets = workload(
  (spec) => ({
    ...filled(filledUnset(spec, { podManagementPolicy: "OrderedReady" }), {
      replicas: 1,
      revisionHistoryLimit: 10,
    }),
    persistentVolumeClaimRetentionPolicy: filledUnset(partOf(spec["persistentVolumeClaimRetentionPolicy"]), {
      whenDeleted: "Retain",
      whenScaled: "Retain",
    }),
    updateStrategy: orderedRolling(spec["updateStrategy"]),
    ...(spec["volumeClaimTemplates"] === undefined
      ? {}
      : { volumeClaimTemplates: listOf(spec["volumeClaimTemplates"]).map(withClaimDefaults) }),
  }),
  {
    scalable: true,
    namesPods: true,
    status: { replicas: 0, availableReplicas: 0 },
    causes: statefulSetCauses,
    updateCauses: (object, old) =>
      sameJson(fixedFields(object), fixedFields(old))
        ? []
        : [
            forbidden(
              "spec",
              `updates to statefulset spec for fields other than ${statefulSetChangeable.map((field) => `'${field}'`).join(", ")} are forbidden`,
            ),
          ],
  },
);

/** The selector of a ReplicationController is a plain map and, unless given, its template's labels. */
const withControllerDefaults = (object: KubeObject): KubeObject => {
  const spec = specOf(object);
  const labels = partOf(partOf(partOf(spec["template"])["metadata"])["labels"]);
  const isLabelled = Object.keys(labels).length > 0;
  const isOwnEmpty = Object.keys(object.metadata.labels ?? {}).length === 0;
  const isSelecting = Object.keys(partOf(spec["selector"])).length > 0;
  return {
    ...object,
    metadata:
      isLabelled && isOwnEmpty
        ? { ...object.metadata, labels: labels as Readonly<Record<string, string>> }
        : object.metadata,
    spec: withTemplateDefaults({
      ...filled(spec, { replicas: 1 }),
      ...(isLabelled && !isSelecting ? { selector: labels } : {}),
    }),
  };
};

export const replicationControllers: KindBehaviour = {
  applyDefaults: withControllerDefaults,
  strategy: {
    unconditionalUpdate: true,
    prepareForCreate: (object) => ({ ...object, status: { replicas: 0 } }),
    validate: controllerCauses,
    validateUpdate: (object, _old, _context, subresource) => (subresource === "" ? controllerCauses(object) : []),
  },
  subresources: [scale, status],
};

/** Templates that nothing uses by itself. */
export const podTemplates: KindBehaviour = {
  applyDefaults: (object) => ({ ...object, template: templateDefaults(object["template"], podSpecDefaults) }),
  strategy: {
    unconditionalUpdate: true,
    validate: loneTemplateCauses,
    validateUpdate: loneTemplateCauses,
  },
};
