import type { KubeObject } from "@capstan/schema";
import { jsonEqual } from "../../patch/json-value.ts";
import type { SubresourceDefinition } from "../../registry/types.ts";
import type { KindBehaviour } from "../kind-behaviour.ts";
import { kindSchema } from "../type-schema.ts";
import { between, forbidden, immutable, invalid } from "./causes.ts";
import type { Causes } from "./causes.ts";
import { changed, filled, partOf, specOf } from "./object-parts.ts";
import type { Part } from "./object-parts.ts";
import { podSpecDefaults } from "./pod-defaults.ts";
import { podSpecCauses } from "./pod-validation.ts";
import { selectorMatches, selectorText } from "./selector.ts";

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

/** A pod template with the defaults of Pods. */
export const withTemplateDefaults = (spec: Part): Part =>
  changed(spec, "template", (template) => changed(partOf(template), "spec", podSpecDefaults));

const rolling = (strategy: unknown, rollingUpdate: Part): Part => {
  const part = filled(partOf(strategy), { type: "RollingUpdate" });
  return part["type"] === "RollingUpdate"
    ? { ...part, rollingUpdate: filled(partOf(part["rollingUpdate"]), rollingUpdate) }
    : part;
};

const templateCauses = (object: KubeObject): Causes => {
  const { template, selector, replicas, minReadySeconds, revisionHistoryLimit } = specOf(object);
  const { metadata, spec } = partOf(template);
  const labels = partOf(partOf(metadata)["labels"]) as Readonly<Record<string, string>>;
  const { matchLabels, matchExpressions } = partOf(selector);
  const isEmpty = Object.keys(partOf(matchLabels)).length === 0 && matchExpressions === undefined;
  return [
    ...between("spec.replicas", replicas, 0),
    ...between("spec.minReadySeconds", minReadySeconds, 0),
    ...between("spec.revisionHistoryLimit", revisionHistoryLimit, 0),
    ...(selector !== undefined && isEmpty
      ? [invalid("spec.selector", selector, "empty selector is invalid for deployment")]
      : []),
    ...(selector === undefined || isEmpty || selectorMatches(selector, labels)
      ? []
      : [invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")]),
    ...(spec === undefined ? [] : podSpecCauses(partOf(spec), "spec.template.spec", ["Always"])),
  ];
};

const selectorCauses = (object: KubeObject, old: KubeObject): Causes => {
  const { selector } = specOf(object);
  return jsonEqual(selector, specOf(old)["selector"]) ? [] : [immutable("spec.selector", selector)];
};

/** A workload whose selector is fixed; `defaults` completes its spec. */
const workload = (
  defaults: (spec: Part) => Part,
  options: { readonly scalable: boolean; readonly updateCauses?: (object: KubeObject, old: KubeObject) => Causes },
): KindBehaviour => ({
  applyDefaults: (object) => ({ ...object, spec: withTemplateDefaults(defaults(specOf(object))) }),
  strategy: {
    unconditionalUpdate: true,
    validate: templateCauses,
    validateUpdate: (object, old, _context, subresource) =>
      subresource === "" ? [...templateCauses(object), ...(options.updateCauses ?? selectorCauses)(object, old)] : [],
  },
  subresources: [...(options.scalable ? [scale] : []), status],
});

export const deployments = workload(
  (spec) => ({
    ...filled(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
    strategy: rolling(spec["strategy"], { maxUnavailable: "25%", maxSurge: "25%" }),
  }),
  { scalable: true },
);

export const replicaSets = workload((spec) => filled(spec, { replicas: 1 }), { scalable: true });

export const daemonSets = workload(
  (spec) => ({
    ...filled(spec, { revisionHistoryLimit: 10 }),
    updateStrategy: rolling(spec["updateStrategy"], { maxUnavailable: 1, maxSurge: 0 }),
  }),
  { scalable: false },
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

export const statefulSets = workload(
  (spec) => ({
    ...filled(spec, {
      replicas: 1,
      revisionHistoryLimit: 10,
      podManagementPolicy: "OrderedReady",
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
    }),
    updateStrategy: rolling(spec["updateStrategy"], { partition: 0 }),
  }),
  {
    scalable: true,
    updateCauses: (object, old) =>
      jsonEqual(fixedFields(object), fixedFields(old))
        ? []
        : [
            forbidden(
              "spec",
              `updates to statefulset spec for fields other than ${statefulSetChangeable.map((field) => `'${field}'`).join(", ")} are forbidden`,
            ),
          ],
  },
);

/** A workload of which only the schema is known, besides the defaults. */
const described = (applyDefaults: KindBehaviour["applyDefaults"], subresources = [status]): KindBehaviour => ({
  ...(applyDefaults === undefined ? {} : { applyDefaults }),
  strategy: { unconditionalUpdate: true },
  subresources,
});

export const replicationControllers = described(
  (object) => ({ ...object, spec: withTemplateDefaults(filled(specOf(object), { replicas: 1 })) }),
  [scale, status],
);

const jobDefaults = (spec: Part): Part =>
  withTemplateDefaults(
    filled(spec, {
      backoffLimit: 6,
      completionMode: "NonIndexed",
      manualSelector: false,
      podReplacementPolicy: spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed",
      suspend: false,
      ...(spec["completions"] === undefined && spec["parallelism"] === undefined ? { completions: 1 } : {}),
      parallelism: 1,
    }),
  );

const labelsOf = (part: unknown): Part => partOf(partOf(partOf(part)["metadata"])["labels"]);

/** A Job finds its Pods by its uid, unless it brings a selector of its own. */
const withJobSelector = (job: KubeObject): KubeObject => {
  const spec = specOf(job);
  const uid = job.metadata.uid ?? "";
  if (spec["manualSelector"] === true) {
    return job;
  }
  const prefix = "batch.kubernetes.io/";
  const added = { "controller-uid": uid, "job-name": job.metadata.name ?? "" };
  const labels = {
    ...labelsOf(spec["template"]),
    ...added,
    ...Object.fromEntries(Object.entries(added).map(([key, value]) => [prefix + key, value])),
  };
  const template = partOf(spec["template"]);
  return {
    ...job,
    metadata: { ...job.metadata, labels: job.metadata.labels ?? (labels as Record<string, string>) },
    spec: {
      ...spec,
      selector: { matchLabels: { [`${prefix}controller-uid`]: uid } },
      template: { ...template, metadata: { ...partOf(template["metadata"]), labels } },
    },
  };
};

const describedJobs = described((object) => ({ ...object, spec: jobDefaults(specOf(object)) }));

export const jobs: KindBehaviour = {
  ...describedJobs,
  strategy: { ...describedJobs.strategy, prepareForCreate: withJobSelector },
};

export const cronJobs = described((object) => {
  const spec = filled(specOf(object), {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  return {
    ...object,
    spec: changed(spec, "jobTemplate", (template) =>
      changed(partOf(template), "spec", (job) => withTemplateDefaults(partOf(job))),
    ),
  };
});
