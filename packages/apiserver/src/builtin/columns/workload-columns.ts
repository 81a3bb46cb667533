import type { KubeObject } from "@capstan/schema";
import { selectorText } from "../../values/selector.ts";
import type { Part } from "../../values/object-parts.ts";
import type { PrinterColumn } from "../../model/types.ts";
import { age, humanDuration } from "../../table/age.ts";
import {
  ageColumn,
  at,
  column,
  count,
  labelText,
  nameColumn,
  numberAt,
  orNone,
  partAt,
  partsAt,
  statusNumber,
  textAt,
  wide,
} from "../../table/column.ts";

type Columns = readonly PrinterColumn[];

const templateColumns = (...template: readonly string[]): Columns => {
  const containers = (object: KubeObject, field: string): string =>
    partsAt(object, ...template, "spec", "containers")
      .map((one) => textAt(one, field))
      .join(",");
  return [
    column("Containers", "Names of the containers.", (object) => containers(object, "name")),
    column("Images", "Images of the containers.", (object) => containers(object, "image")),
  ];
};

const wideTemplate = (...template: readonly string[]): Columns => templateColumns(...template).map(wide);

const containerColumns = wideTemplate("spec", "template");

const selectorColumn = wide(
  column("Selector", "Labels of the Pods.", (object) => orNone(selectorText(at(object, "spec", "selector")))),
);

const workloadColumns: Columns = [
  ...containerColumns,
  wide(column("Selector", "Labels of the Pods.", (object) => selectorText(at(object, "spec", "selector")))),
];

const readyOf = column(
  "Ready",
  "Pods that are ready, of those wanted.",
  (object) => `${statusNumber("readyReplicas")(object)}/${numberAt(object, "spec", "replicas")}`,
);

const replicaColumns: Columns = [
  nameColumn,
  count("Desired", "Pods wanted.", (object) => numberAt(object, "spec", "replicas")),
  count("Current", "Pods there are.", statusNumber("replicas")),
  count("Ready", "Pods that are ready.", statusNumber("readyReplicas")),
  ageColumn,
];

const jobConditions = ["Complete", "Failed", "Suspended", "FailureTarget", "SuccessCriteriaMet"];

const jobStatus = (job: KubeObject): string => {
  const holds = partsAt(job, "status", "conditions")
    .filter((condition) => condition["status"] === "True")
    .map((condition) => textAt(condition, "type"));
  const [ended] = jobConditions.filter((type) => holds.includes(type));
  return ended ?? (job.metadata.deletionTimestamp === undefined ? "Running" : "Terminating");
};

const completions = (job: KubeObject): string => {
  const wanted = at(job, "spec", "completions");
  const parallelism = numberAt(job, "spec", "parallelism");
  const done = statusNumber("succeeded")(job);
  if (typeof wanted === "number") {
    return `${done}/${wanted}`;
  }
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
};

const jobDuration = (job: KubeObject, now: number): string => {
  const [start, end] = [textAt(job, "status", "startTime"), textAt(job, "status", "completionTime")];
  return start === "" ? "" : humanDuration(((end === "" ? now : Date.parse(end)) - Date.parse(start)) / 1000);
};

const metricValue = (part: Part): string =>
  part["averageUtilization"] === undefined
    ? String(part["averageValue"] ?? part["value"] ?? "<unknown>")
    : `${String(part["averageUtilization"])}%`;

const metricText = (metric: Part, current: Part): string => {
  const source = partAt(
    metric,
    { Resource: "resource", Pods: "pods", External: "external" }[textAt(metric, "type")] ?? "",
  );
  const target = partAt(source, "target");
  const now = partAt(current, "resource", "current");
  const name = textAt(source, "name");
  return `${name === "" ? "" : `${name}: `}${metricValue(now)}/${metricValue(target)}`;
};

const targets = (autoscaler: KubeObject): string => {
  const old = at(autoscaler, "spec", "targetCPUUtilizationPercentage");
  if (old !== undefined) {
    const current = at(autoscaler, "status", "currentCPUUtilizationPercentage");
    return `cpu: ${current === undefined ? "<unknown>" : `${String(current)}%`}/${String(old)}%`;
  }
  const currents = partsAt(autoscaler, "status", "currentMetrics");
  return orNone(
    partsAt(autoscaler, "spec", "metrics")
      .map((metric, index) => metricText(metric, currents[index] ?? {}))
      .join(", "),
  );
};

const controllerOf = ({ metadata }: KubeObject): string => {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) {
    return "<none>";
  }
  const [group, version] = owner.apiVersion.split("/");
  return `${owner.kind.toLowerCase()}${version === undefined ? "" : `.${group}`}/${owner.name}`;
};

/** Columns of what runs Pods, by `group/plural`. */
export const workloads: Readonly<Record<string, Columns>> = {
  "/podtemplates": [
    nameColumn,
    ...templateColumns("template"),
    column("Pod Labels", "Labels of the Pods.", (object) =>
      labelText(partAt(object, "template", "metadata", "labels")),
    ),
  ],
  "/replicationcontrollers": [
    ...replicaColumns,
    ...containerColumns,
    wide(column("Selector", "Labels of the Pods.", (object) => labelText(partAt(object, "spec", "selector")))),
  ],
  "apps/controllerrevisions": [
    nameColumn,
    column("Controller", "Whose revision it is.", controllerOf),
    column("Revision", "Number of the revision.", (object) => numberAt(object, "revision")),
    ageColumn,
  ],
  "apps/daemonsets": [
    nameColumn,
    count("Desired", "Nodes that should run a Pod.", statusNumber("desiredNumberScheduled")),
    count("Current", "Nodes that run a Pod.", statusNumber("currentNumberScheduled")),
    count("Ready", "Pods that are ready.", statusNumber("numberReady")),
    count("Up-to-date", "Pods of the current template.", statusNumber("updatedNumberScheduled")),
    count("Available", "Pods that are available.", statusNumber("numberAvailable")),
    column("Node Selector", "Labels of the nodes.", (object) =>
      labelText(partAt(object, "spec", "template", "spec", "nodeSelector")),
    ),
    ageColumn,
    ...workloadColumns,
  ],
  "apps/deployments": [
    nameColumn,
    readyOf,
    column("Up-to-date", "Pods of the current template.", statusNumber("updatedReplicas")),
    column("Available", "Pods that are available.", statusNumber("availableReplicas")),
    ageColumn,
    ...workloadColumns,
  ],
  "apps/replicasets": [...replicaColumns, ...workloadColumns],
  "apps/statefulsets": [nameColumn, readyOf, ageColumn, ...containerColumns],
  "autoscaling/horizontalpodautoscalers": [
    nameColumn,
    column(
      "Reference",
      "What is scaled.",
      (object) =>
        `${textAt(object, "spec", "scaleTargetRef", "kind")}/${textAt(object, "spec", "scaleTargetRef", "name")}`,
    ),
    column("Targets", "Measured and wanted values.", targets),
    column("MinPods", "Fewest Pods.", (object) => String(at(object, "spec", "minReplicas") ?? "<unset>")),
    column("MaxPods", "Most Pods.", (object) => numberAt(object, "spec", "maxReplicas")),
    column("Replicas", "Pods there are.", statusNumber("currentReplicas")),
    ageColumn,
  ],
  "batch/cronjobs": [
    nameColumn,
    column("Schedule", "When Jobs are made.", (object) => textAt(object, "spec", "schedule")),
    column("Timezone", "Of the schedule.", (object) => orNone(textAt(object, "spec", "timeZone"))),
    {
      ...column("Suspend", "Whether no Jobs are made.", (object) =>
        at(object, "spec", "suspend") === true ? "True" : "False",
      ),
      type: "boolean",
    },
    count("Active", "Jobs that run.", (object) => partsAt(object, "status", "active").length),
    column("Last Schedule", "Time since the last Job was made.", (object, now) => {
      const last = at(object, "status", "lastScheduleTime");
      return last === undefined ? "<none>" : age(last, now);
    }),
    ageColumn,
    ...wideTemplate("spec", "jobTemplate", "spec", "template"),
    wide(
      column("Selector", "Labels of the Pods.", (object) =>
        orNone(selectorText(at(object, "spec", "jobTemplate", "spec", "selector"))),
      ),
    ),
  ],
  "batch/jobs": [
    nameColumn,
    column("Status", "How far it is.", jobStatus),
    column("Completions", "Pods that have succeeded, of those wanted.", completions),
    column("Duration", "How long it has run.", jobDuration),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
};
