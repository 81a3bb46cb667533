import { type KubeObject, sameJson } from "@capstan/schema";
import { qualifiedNameFault } from "../../registry/metadata.ts";
import { isSet, listOf, type Part, partOf, specOf, statusOf, textOf } from "../../values/object-parts.ts";
import { selectorMatches } from "../../values/selector.ts";
import { between, type Causes, immutable, invalid, oneOf, required, tooLong } from "./causes.ts";
import { failurePolicyCauses, successPolicyCauses } from "./job-policies.ts";
import { labelSelectorCauses } from "./label-selector.ts";
import { podSpecCauses } from "./pod-spec.ts";

const longestLabel = 63;

export const labelsOf = (template: unknown): Readonly<Record<string, string>> =>
  partOf(partOf(partOf(template)["metadata"])["labels"]) as Readonly<Record<string, string>>;

export const jobLabelPrefix = "batch.kubernetes.io/";

/** Pods of a Job end. */
const restartCauses = (template: unknown, field: string): Causes => {
  const spec = partOf(partOf(template)["spec"]);
  const policy = spec["restartPolicy"] ?? "Always";
  const at = `${field}.spec.restartPolicy`;
  return [
    ...(policy === "Always" ? [required(at, 'valid values: "OnFailure", "Never"')] : []),
    ...podSpecCauses(spec, `${field}.spec`, ["Always", "OnFailure", "Never"]),
  ];
};

const counts = ["parallelism", "completions", "backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished"];

const isManagerName = (name: unknown): boolean =>
  textOf(name).includes("/") && qualifiedNameFault(textOf(name)) === undefined;

/** Maximum length of the domain-prefixed name of a controller that manages a Job instead of the usual one. */
const longestManagerName = 63;

const managerCauses = (name: unknown, field: string): Causes => {
  if (!isSet(name)) {
    return [];
  }
  return [
    ...(isManagerName(name) || textOf(name).length > longestManagerName
      ? []
      : [invalid(field, name, "must be a domain-prefixed path, such as example.com/controller")]),
    ...(textOf(name).length > longestManagerName ? [tooLong(field, longestManagerName)] : []),
  ];
};

/** Maximum number of Pods that an Indexed Job may run at a time. */
const mostIndexed = 100_000;

/** Validates the spec of a Job or of the template of a CronJob. */
export const jobSpecCauses = (spec: Part, field: string): Causes => {
  const { completionMode, completions, backoffLimitPerIndex, maxFailedIndexes, parallelism } = spec;
  const isIndexed = completionMode === "Indexed";
  return [
    ...counts.flatMap((name) => between(`${field}.${name}`, spec[name], 0)),
    ...oneOf(`${field}.completionMode`, completionMode, ["NonIndexed", "Indexed"]),
    ...(isIndexed ? between(`${field}.parallelism`, parallelism, 0, mostIndexed) : []),
    ...(isIndexed && !isSet(completions) ? [required(`${field}.completions`, "when completion mode is Indexed")] : []),
    ...(!isIndexed && isSet(backoffLimitPerIndex)
      ? [invalid(`${field}.backoffLimitPerIndex`, backoffLimitPerIndex, "requires indexed completion mode")]
      : []),
    ...(isSet(maxFailedIndexes) && !isSet(backoffLimitPerIndex)
      ? [required(`${field}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")]
      : []),
    ...(isSet(maxFailedIndexes) && !isIndexed
      ? [invalid(`${field}.maxFailedIndexes`, maxFailedIndexes, "requires indexed completion mode")]
      : between(`${field}.maxFailedIndexes`, maxFailedIndexes, 0, Number(completions ?? Infinity))),
    ...oneOf(`${field}.podReplacementPolicy`, spec["podReplacementPolicy"], ["Failed", "TerminatingOrFailed"]),
    ...managerCauses(spec["managedBy"], `${field}.managedBy`),
    ...failurePolicyCauses(spec, field),
    ...successPolicyCauses(spec, field),
    ...restartCauses(spec["template"], `${field}.template`),
  ];
};

export const jobCauses = (job: KubeObject): Causes => {
  const spec = specOf(job);
  const { selector, manualSelector, template } = spec;
  const labels = labelsOf(template);
  const own = { matchLabels: { [`${jobLabelPrefix}controller-uid`]: job.metadata.uid ?? "" } };
  const isForeign = manualSelector !== true && selector !== undefined && !sameJson(selector, own);
  return [
    ...jobSpecCauses(spec, "spec"),
    ...(selector === undefined ? [required("spec.selector")] : labelSelectorCauses("spec.selector", selector)),
    ...(isForeign ? [invalid("spec.selector", selector, "`selector` not auto-generated")] : []),
    ...(selector !== undefined && selectorMatches(selector, labels)
      ? []
      : [invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")]),
  ];
};

/** The Pods of a Job that counts its indexes are called as it is, with the index behind that, which is a DNS label. */
export const podNameCauses = (job: KubeObject): Causes => {
  const { completionMode, completions } = specOf(job);
  const { name = "" } = job.metadata;
  const longest = longestLabel - `-${Number(completions ?? 0) - 1}`.length;
  return completionMode === "Indexed" && Number(completions ?? 0) > 0 && name.length > longest
    ? [
        invalid(
          "metadata.name",
          name,
          `must be no more than ${longest} characters, so that Pods can be called after it`,
        ),
      ]
    : [];
};

/** Returns the template of a suspended Job without the fields that it may change: placement and resources of its Pods. */
const fixedTemplate = (template: unknown): unknown => {
  const {
    nodeSelector: _nodes,
    affinity: _affinity,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...spec
  } = partOf(partOf(template)["spec"]);
  const withoutResources = (list: unknown): unknown =>
    listOf(list).map((container) => ({ ...partOf(container), resources: undefined }));
  return {
    ...spec,
    containers: withoutResources(spec["containers"]),
    initContainers: withoutResources(spec["initContainers"]),
  };
};

/** The template of a Job that has not begun may still be fitted to the nodes. */
const templateUpdateCauses = (job: KubeObject, old: KubeObject): Causes => {
  const [template, before] = [specOf(job)["template"], specOf(old)["template"]];
  const isOpen = specOf(old)["suspend"] === true && statusOf(old)["startTime"] === undefined;
  const part = isOpen ? fixedTemplate : (value: unknown): unknown => value;
  return sameJson(part(template) ?? null, part(before) ?? null)
    ? []
    : [immutable(isOpen ? "spec.template.spec" : "spec.template", template)];
};

/** Returns the causes for changes of immutable fields of a Job. */
export const jobUpdateCauses = (job: KubeObject, old: KubeObject): Causes => {
  const [spec, before] = [specOf(job), specOf(old)];
  const isElastic = before["completionMode"] === "Indexed" && spec["completions"] === spec["parallelism"];
  const fixed = [
    "selector",
    "completionMode",
    "podFailurePolicy",
    "backoffLimitPerIndex",
    "managedBy",
    "successPolicy",
    ...(isElastic ? [] : ["completions"]),
  ];
  return [
    ...fixed
      .filter((name) => !sameJson(spec[name] ?? null, before[name] ?? null))
      .map((name) => immutable(`spec.${name}`, spec[name])),
    ...templateUpdateCauses(job, old),
  ];
};
