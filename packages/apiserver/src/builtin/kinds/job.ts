import type { KubeObject } from "@capstan/schema";
import { changed, filled, filledUnset, isSet, listOf, type Part, partOf, specOf } from "../../values/object-parts.ts";
import { cronJobCauses, cronJobNameCauses } from "../validation/cron-job.ts";
import { jobCauses, jobUpdateCauses, labelsOf, podNameCauses, jobLabelPrefix } from "../validation/job.ts";
import { statusSubresource } from "./plain-behaviours.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { templateDefaults, withTemplateDefaults } from "./pod-template.ts";

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
    ...Object.fromEntries(Object.entries(added).map(([key, value]) => [jobLabelPrefix + key, value])),
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
        matchLabels: { ...partOf(matchLabels), [`${jobLabelPrefix}controller-uid`]: uid },
      },
      template: { ...template, metadata: { ...partOf(template["metadata"]), labels } },
    },
  };
};

export const jobs: KindBehaviour = {
  applyDefaults: (object) => ({ ...object, spec: jobDefaults(specOf(object)) }),
  strategy: {
    unconditionalUpdate: true,
    prepareForCreate: withJobSelector,
    validate: (job) => [...podNameCauses(job), ...jobCauses(job)],
    validateUpdate: (job, old, _context, subresource) =>
      subresource === "" ? [...jobCauses(job), ...jobUpdateCauses(job, old)] : [],
  },
  subresources: [statusSubresource],
};

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
    validate: (object) => [...cronJobNameCauses(object), ...cronJobCauses(object)],
    validateUpdate: (object, _old, _context, subresource) => (subresource === "" ? cronJobCauses(object) : []),
  },
  subresources: [statusSubresource],
};
