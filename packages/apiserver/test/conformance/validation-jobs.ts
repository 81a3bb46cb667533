import type { ValidationCase } from "./validation-case.ts";
import { podSpec, job, cron } from "./validation-objects.ts";

/** Jobs and CronJobs: what a kube-apiserver says about new ones. */
export const jobsCases: readonly ValidationCase[] = [
  ["Job: ok", ...job({}), []],
  ["Job: always", ...job({ template: { spec: podSpec() } }), ["Required spec.template.spec.restartPolicy"]],
  [
    "Job: no template",
    ...job({ template: undefined }),
    ["Required spec.template.spec.containers", "Required spec.template.spec.restartPolicy"],
  ],
  [
    "Job: negative",
    ...job({
      parallelism: -1,
      completions: -1,
      backoffLimit: -1,
      activeDeadlineSeconds: -1,
      ttlSecondsAfterFinished: -1,
    }),
    [
      "Invalid spec.activeDeadlineSeconds",
      "Invalid spec.backoffLimit",
      "Invalid spec.completions",
      "Invalid spec.parallelism",
      "Invalid spec.ttlSecondsAfterFinished",
    ],
  ],
  ["Job: completion mode", ...job({ completionMode: "Foo" }), ["NotSupported spec.completionMode"]],
  ["Job: indexed no completions", ...job({ completionMode: "Indexed", parallelism: 1 }), ["Required spec.completions"]],
  [
    "Job: manual selector none",
    ...job({ manualSelector: true }),
    ["Invalid spec.template.metadata.labels", "Required spec.selector"],
  ],
  [
    "Job: selector given",
    ...job({ selector: { matchLabels: { a: "b" } } }),
    ["Invalid spec.selector", "Invalid spec.template.metadata.labels"],
  ],
  [
    "Job: manual mismatch",
    ...job({ manualSelector: true, selector: { matchLabels: { a: "b" } } }),
    ["Invalid spec.template.metadata.labels"],
  ],
  [
    "Job: image missing",
    ...job({ template: { spec: { restartPolicy: "Never", containers: [{ name: "c" }] } } }),
    ["Required spec.template.spec.containers[0].image"],
  ],
  ["Job: per index without indexed", ...job({ backoffLimitPerIndex: 1 }), ["Invalid spec.backoffLimitPerIndex"]],
  ["Job: replacement policy", ...job({ podReplacementPolicy: "Foo" }), ["NotSupported spec.podReplacementPolicy"]],
  ["Job: managedBy", ...job({ managedBy: "foo" }), ["Invalid spec.managedBy"]],
  ["CronJob: ok", ...cron({}), []],
  ["CronJob: schedule empty", ...cron({ schedule: "" }), ["Required spec.schedule"]],
  ["CronJob: schedule bad", ...cron({ schedule: "x" }), ["Invalid spec.schedule"]],
  ["CronJob: schedule bad range", ...cron({ schedule: "61 * * * *" }), ["Invalid spec.schedule"]],
  ["CronJob: schedule macro", ...cron({ schedule: "@hourly" }), []],
  ["CronJob: schedule every", ...cron({ schedule: "@every 1h" }), []],
  ["CronJob: schedule names", ...cron({ schedule: "*/5 0-6,12 1 JAN-MAR MON" }), []],
  ["CronJob: schedule tz", ...cron({ schedule: "TZ=UTC * * * * *" }), ["Invalid spec.schedule"]],
  ["CronJob: timezone", ...cron({ timeZone: "Mars/Phobos" }), ["Invalid spec.timeZone"]],
  ["CronJob: timezone ok", ...cron({ timeZone: "Europe/Berlin" }), []],
  ["CronJob: timezone local", ...cron({ timeZone: "Local" }), ["Invalid spec.timeZone"]],
  ["CronJob: policy", ...cron({ concurrencyPolicy: "Foo" }), ["NotSupported spec.concurrencyPolicy"]],
  [
    "CronJob: negative",
    ...cron({ startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }),
    [
      "Invalid spec.failedJobsHistoryLimit",
      "Invalid spec.startingDeadlineSeconds",
      "Invalid spec.successfulJobsHistoryLimit",
    ],
  ],
  [
    "CronJob: always",
    ...cron({ jobTemplate: { spec: { template: { spec: podSpec() } } } }),
    ["Required spec.jobTemplate.spec.template.spec.restartPolicy"],
  ],
  [
    "CronJob: manual",
    ...cron({
      jobTemplate: { spec: { manualSelector: true, template: { spec: podSpec({ restartPolicy: "Never" }) } } },
    }),
    ["NotSupported spec.jobTemplate.spec.manualSelector"],
  ],
  [
    "CronJob: name long",
    "/apis/batch/v1",
    "cronjobs",
    { metadata: { name: "a".repeat(53) }, ...cron({})[2] },
    ["Invalid metadata.name"],
  ],
];
