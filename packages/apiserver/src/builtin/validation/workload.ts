import { type KubeObject, sameJson } from "@capstan/schema";
import { isSet, listOf, type Part, partOf, specOf } from "../../values/object-parts.ts";
import { selectorMatches } from "../../values/selector.ts";
import { between, type Causes, dnsLabel, forbidden, immutable, invalid, oneOf, required } from "./causes.ts";
import { claimSpecCauses } from "./claim.ts";
import { labelSelectorCauses } from "./label-selector.ts";
import { annotations as annotationCauses, labels as labelCauses } from "./names.ts";
import { podSpecCauses } from "./pod-spec.ts";
import { podTemplateCauses } from "./pod-template.ts";
import { isAmount, isSome, podAmountCauses } from "./rolling-update.ts";

const templateLabels = (spec: Part): Readonly<Record<string, string>> =>
  partOf(partOf(partOf(spec["template"])["metadata"])["labels"]) as Readonly<Record<string, string>>;

const mismatch = (labels: unknown): Causes => [
  invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"),
];

/** Causes of how Pods are selected. */
const selectionCauses = (spec: Part, selector: unknown): Causes => {
  const labels = templateLabels(spec);
  const { matchLabels, matchExpressions } = partOf(selector);
  const isEmpty = Object.keys(partOf(matchLabels)).length === 0 && listOf(matchExpressions).length === 0;
  const faults = labelSelectorCauses("spec.selector", selector);
  const isSelected = selector !== undefined && (isEmpty || selectorMatches(selector, labels));
  return [
    ...faults,
    ...(faults.length > 0 ? [invalid("spec.selector", selector, "invalid label selector")] : []),
    ...(selector !== undefined && isEmpty ? [invalid("spec.selector", selector, "an empty selector is invalid")] : []),
    ...(isSelected || faults.length > 0 ? [] : mismatch(labels)),
  ];
};

export const templateCauses = (object: KubeObject, namesPods: boolean | undefined): Causes => {
  const spec = specOf(object);
  return [
    ...between("spec.replicas", spec["replicas"], 0),
    ...between("spec.minReadySeconds", spec["minReadySeconds"], 0),
    ...between("spec.revisionHistoryLimit", spec["revisionHistoryLimit"], 0),
    ...selectionCauses(spec, spec["selector"]),
    ...podTemplateCauses(spec, namesPods),
  ];
};

export const selectorCauses = (object: KubeObject, old: KubeObject): Causes => {
  const { selector } = specOf(object);
  return sameJson(selector, specOf(old)["selector"]) ? [] : [immutable("spec.selector", selector)];
};

const surge = "rollingUpdate.maxSurge";

const unavailable = "rollingUpdate.maxUnavailable";

/** More Pods than there are may be added to a Deployment, not to the Nodes of a DaemonSet. */
const amountsCauses = (rollingUpdate: Part, field: string, surgeMost?: "all"): Causes => [
  ...podAmountCauses(`${field}.${unavailable}`, rollingUpdate["maxUnavailable"], "all"),
  ...podAmountCauses(`${field}.${surge}`, rollingUpdate["maxSurge"], surgeMost),
];

export const deploymentCauses = ({ strategy, progressDeadlineSeconds, minReadySeconds = 0 }: Part): Causes => {
  const { type, rollingUpdate } = partOf(strategy);
  const { maxSurge, maxUnavailable } = partOf(rollingUpdate);
  const isSlow = typeof progressDeadlineSeconds === "number" && progressDeadlineSeconds <= Number(minReadySeconds);
  return [
    ...oneOf("spec.strategy", type, ["Recreate", "RollingUpdate"]),
    ...(type === "Recreate" && isSet(rollingUpdate)
      ? [forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")]
      : []),
    ...amountsCauses(partOf(rollingUpdate), "spec.strategy"),
    ...(type === "RollingUpdate" &&
    !isSome(maxSurge) &&
    !isSome(maxUnavailable) &&
    isAmount(maxSurge) &&
    isAmount(maxUnavailable)
      ? [invalid(`spec.strategy.${unavailable}`, maxUnavailable, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...between("spec.progressDeadlineSeconds", progressDeadlineSeconds, 0),
    ...(isSlow
      ? [invalid("spec.progressDeadlineSeconds", progressDeadlineSeconds, "must be greater than minReadySeconds")]
      : []),
  ];
};

export const daemonSetCauses = ({ updateStrategy }: Part): Causes => {
  const { type, rollingUpdate } = partOf(updateStrategy);
  const { maxSurge, maxUnavailable } = partOf(rollingUpdate);
  const isRolling = type === "RollingUpdate";
  return [
    ...oneOf("spec.updateStrategy", type, ["RollingUpdate", "OnDelete"]),
    ...(isRolling ? amountsCauses(partOf(rollingUpdate), "spec.updateStrategy", "all") : []),
    ...(isRolling && !isSome(maxSurge) && !isSome(maxUnavailable)
      ? [required(`spec.updateStrategy.${unavailable}`, "cannot be 0 when maxSurge is 0")]
      : []),
    ...(isRolling && isSome(maxSurge) && isSome(maxUnavailable)
      ? [invalid(`spec.updateStrategy.${surge}`, maxSurge, "may not be set when maxUnavailable is non-zero")]
      : []),
  ];
};

const retentions = ["Retain", "Delete"];

export const statefulSetCauses = (spec: Part): Causes => {
  const { podManagementPolicy, updateStrategy, persistentVolumeClaimRetentionPolicy, ordinals } = spec;
  const { type, rollingUpdate } = partOf(updateStrategy);
  const { whenDeleted, whenScaled } = partOf(persistentVolumeClaimRetentionPolicy);
  return [
    ...(["OrderedReady", "Parallel", undefined].includes(podManagementPolicy as string | undefined)
      ? []
      : [invalid("spec.podManagementPolicy", podManagementPolicy, "must be 'OrderedReady' or 'Parallel'")]),
    ...(["RollingUpdate", "OnDelete", undefined].includes(type as string | undefined)
      ? []
      : [invalid("spec.updateStrategy", type, "must be 'RollingUpdate' or 'OnDelete'")]),
    ...(type === "OnDelete" && isSet(rollingUpdate)
      ? [invalid("spec.updateStrategy.rollingUpdate", rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")]
      : between("spec.updateStrategy.rollingUpdate.partition", partOf(rollingUpdate)["partition"], 0)),
    ...oneOf("spec.persistentVolumeClaimRetentionPolicy.whenDeleted", whenDeleted, retentions),
    ...oneOf("spec.persistentVolumeClaimRetentionPolicy.whenScaled", whenScaled, retentions),
    ...between("spec.ordinals.start", partOf(ordinals)["start"], 0),
    ...dnsLabel("spec.serviceName", spec["serviceName"]),
    ...listOf(spec["volumeClaimTemplates"]).flatMap((template, index) =>
      claimSpecCauses(partOf(partOf(template)["spec"]), `spec.volumeClaimTemplates[${index}].spec`),
    ),
  ];
};

export const controllerCauses = (object: KubeObject): Causes => {
  const spec = specOf(object);
  const selector = partOf(spec["selector"]);
  const isSelecting = Object.keys(selector).length > 0;
  return [
    ...between("spec.replicas", spec["replicas"], 0),
    ...between("spec.minReadySeconds", spec["minReadySeconds"], 0),
    ...(isSelecting ? [] : [required("spec.selector")]),
    ...(spec["template"] === undefined ? [required("spec.template")] : []),
    ...(isSelecting && !selectorMatches({ matchLabels: selector }, templateLabels(spec))
      ? mismatch(templateLabels(spec))
      : []),
    ...podTemplateCauses(spec),
  ];
};

export const loneTemplateCauses = (object: KubeObject): Causes => {
  const { metadata, spec } = partOf(object["template"]);
  return [
    ...labelCauses("template.labels", partOf(metadata)["labels"]),
    ...annotationCauses("template.annotations", partOf(metadata)["annotations"]),
    ...podSpecCauses(partOf(spec), "template.spec"),
  ];
};
