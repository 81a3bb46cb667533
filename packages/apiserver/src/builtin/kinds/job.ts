import { deepEqual } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";
import { qualifiedNameFault } from "../../registry/metadata.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";
import {
  between,
  type Causes,
  immutable,
  invalid,
  notSupported,
  oneOf,
  required,
  tooLong,
} from "../validation/causes.ts";
import { failurePolicyCauses, successPolicyCauses } from "../validation/job-policies.ts";
import { statusSubresource } from "./cluster-services.ts";
import { isCronSchedule } from "../../values/cron-schedule.ts";
import {
  type Part,
  changed,
  filled,
  filledUnset,
  isSet,
  listOf,
  partOf,
  specOf,
  statusOf,
  textOf,
} from "../../values/object-parts.ts";
import { podSpecCauses } from "../validation/pod-spec.ts";
import { templateDefaults, withTemplateDefaults } from "./pod-template.ts";
import { selectorMatches } from "../../values/selector.ts";
import { labelSelectorCauses } from "../validation/label-selector.ts";

/** Names of Jobs get a suffix of eleven characters. */
const longestCronJobName = 52;
const longestLabel = 63;

const labelsOf = (template: unknown): Readonly<Record<string, string>> =>
  partOf(partOf(partOf(template)["metadata"])["labels"]) as Readonly<Record<string, string>>;

const conditionDefaults = (rule: unknown): unknown =>
  changed(partOf(rule), "onPodConditions", (conditions) =>
    listOf(conditions).map((condition) => filledUnset(partOf(condition), { status: "True" })),
  );

const policyDefaults = (policy: unknown): unknown =>
  changed(partOf(policy), "rules", (rules) => listOf(rules).map(conditionDefaults));

const jobDefaults = (spec: Part): Part =>
  withTemplateDefaults(
    filled(changed(spec, "podFailurePolicy", policyDefaults), {
      // What counts the failures of each index has no limit of all.
      backoffLimit: isSet(spec["backoffLimitPerIndex"]) ? 2_147_483_647 : 6,
      completionMode: "NonIndexed",
      manualSelector: false,
      podReplacementPolicy: spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed",
      suspend: false,
      ...(spec["completions"] === undefined && spec["parallelism"] === undefined ? { completions: 1 } : {}),
      parallelism: 1,
    }),
  );

const prefix = "batch.kubernetes.io/";

/** A Job finds its Pods by its uid, unless it brings a selector of its own. */
const withJobSelector = (job: KubeObject): KubeObject => {
  const spec = specOf(job);
  const uid = job.metadata.uid ?? "";
  const { labels: given } = job.metadata;
  const ownLabels = Object.keys(given ?? {}).length === 0 ? undefined : given;
  if (spec["manualSelector"] === true) {
    return { ...job, status: {}, metadata: { ...job.metadata, labels: ownLabels ?? labelsOf(spec["template"]) } };
  }
  const added = { "controller-uid": uid, "job-name": job.metadata.name ?? "" };
  const labels = {
    ...labelsOf(spec["template"]),
    ...added,
    ...Object.fromEntries(Object.entries(added).map(([key, value]) => [prefix + key, value])),
  };
  const template = partOf(spec["template"]);
  const { matchLabels } = partOf(spec["selector"]);
  return {
    ...job,
    status: {},
    metadata: { ...job.metadata, labels: ownLabels ?? labels },
    spec: {
      ...spec,
      selector: {
        ...partOf(spec["selector"]),
        matchLabels: { ...partOf(matchLabels), [`${prefix}controller-uid`]: uid },
      },
      template: { ...template, metadata: { ...partOf(template["metadata"]), labels } },
    },
  };
};

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

/** Of the domain-prefixed name of who works on a Job instead of the usual controller. */
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

/** How many Pods a Job that counts its indexes may run at a time. */
const mostIndexed = 100_000;

/** What Jobs and the templates of CronJobs have in common. */
const jobSpecCauses = (spec: Part, field: string): Causes => {
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

const validate = (job: KubeObject): Causes => {
  const spec = specOf(job);
  const { selector, manualSelector, template } = spec;
  const labels = labelsOf(template);
  const own = { matchLabels: { [`${prefix}controller-uid`]: job.metadata.uid ?? "" } };
  const isForeign = manualSelector !== true && selector !== undefined && !deepEqual(selector, own);
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
const podNameCauses = (job: KubeObject): Causes => {
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

/** Of the template of a suspended Job, what is not about where its Pods run and how much they get. */
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
  return deepEqual(part(template) ?? null, part(before) ?? null)
    ? []
    : [immutable(isOpen ? "spec.template.spec" : "spec.template", template)];
};

/** What a Job cannot change. */
const jobUpdateCauses = (job: KubeObject, old: KubeObject): Causes => {
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
      .filter((name) => !deepEqual(spec[name] ?? null, before[name] ?? null))
      .map((name) => immutable(`spec.${name}`, spec[name])),
    ...templateUpdateCauses(job, old),
  ];
};

export const jobs: KindBehaviour = {
  applyDefaults: (object) => ({ ...object, spec: jobDefaults(specOf(object)) }),
  strategy: {
    unconditionalUpdate: true,
    prepareForCreate: withJobSelector,
    validate: (job) => [...podNameCauses(job), ...validate(job)],
    validateUpdate: (job, old, _context, subresource) =>
      subresource === "" ? [...validate(job), ...jobUpdateCauses(job, old)] : [],
  },
  subresources: [statusSubresource],
};

/** Names of time zones are written as in the database of time zones; Intl takes them in any case. */
const isTimeZone = (name: string): boolean => {
  if (name === "" || /^[+-]|^local$/i.test(name)) {
    return false;
  }
  try {
    const { timeZone } = Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
};

const scheduleCauses = (schedule: unknown): Causes =>
  textOf(schedule) === "" || isCronSchedule(textOf(schedule))
    ? []
    : [
        invalid(
          "spec.schedule",
          schedule,
          "must be five fields (minute, hour, day, month, weekday) or a word such as @daily",
        ),
      ];

const cronJobCauses = (object: KubeObject): Causes => {
  const spec = specOf(object);
  const { schedule, timeZone, concurrencyPolicy, jobTemplate } = spec;
  const job = partOf(partOf(jobTemplate)["spec"]);
  const numbers = ["startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"];
  return [
    ...scheduleCauses(schedule),
    ...(timeZone === undefined || timeZone === null || isTimeZone(textOf(timeZone))
      ? []
      : [invalid("spec.timeZone", timeZone, "unknown time zone")]),
    ...oneOf("spec.concurrencyPolicy", concurrencyPolicy, ["Allow", "Forbid", "Replace"]),
    ...numbers.flatMap((name) => between(`spec.${name}`, spec[name], 0)),
    ...(job["manualSelector"] === true
      ? [notSupported("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"])]
      : []),
    ...(isSet(job["selector"])
      ? [invalid("spec.jobTemplate.spec.selector", job["selector"], "`selector` will be auto-generated")]
      : []),
    ...jobSpecCauses(job, "spec.jobTemplate.spec"),
  ];
};

const nameCauses = ({ metadata: { name = "" } }: KubeObject): Causes =>
  name.length > longestCronJobName
    ? [invalid("metadata.name", name, `must be no more than ${longestCronJobName} characters`)]
    : [];

export const cronJobs: KindBehaviour = {
  applyDefaults: (object) => {
    const spec = filled(filledUnset(specOf(object), { concurrencyPolicy: "Allow" }), {
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    const withDefaults = (template: unknown): Part =>
      templateDefaults(template, (job) => withTemplateDefaults(partOf(job)));
    return { ...object, spec: changed(spec, "jobTemplate", withDefaults) };
  },
  strategy: {
    unconditionalUpdate: true,
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: (object) => [...nameCauses(object), ...cronJobCauses(object)],
    validateUpdate: (object, _old, _context, subresource) => (subresource === "" ? cronJobCauses(object) : []),
  },
  subresources: [statusSubresource],
};
