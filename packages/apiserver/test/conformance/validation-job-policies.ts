import type { ValidationCase } from "./validation-case.ts";
import { podSpec, ending, job, cron } from "./validation-objects.ts";

/** Jobs and CronJobs: policies, schedules and time zones: what a kube-apiserver says about new ones. */
export const jobPoliciesCases: readonly ValidationCase[] = [
  [
    "Job: maxFailedIndexes",
    ...job({ maxFailedIndexes: 1 }),
    ["Invalid spec.maxFailedIndexes", "Required spec.backoffLimitPerIndex"],
  ],
  [
    "Job: maxFailed over",
    ...job({ completionMode: "Indexed", completions: 2, backoffLimitPerIndex: 1, maxFailedIndexes: 5 }),
    ["Invalid spec.maxFailedIndexes"],
  ],
  [
    "Job: completions big",
    ...job({ completionMode: "Indexed", completions: 200000, parallelism: 200000 }),
    ["Invalid spec.parallelism"],
  ],
  [
    "Job: podFailurePolicy",
    ...job({ podFailurePolicy: { rules: [{ action: "Foo" }] } }),
    ["Invalid spec.podFailurePolicy.rules[0]", "NotSupported spec.podFailurePolicy.rules[0].action"],
  ],
  [
    "Job: podFailurePolicy onfail",
    ...job({ podFailurePolicy: { rules: [] }, template: { spec: podSpec({ restartPolicy: "OnFailure" }) } }),
    ["Invalid spec.template.spec.restartPolicy"],
  ],
  ["Job: successPolicy", ...job({ successPolicy: { rules: [] } }), ["Invalid spec.successPolicy"]],
  [
    "Job: successPolicy idx",
    ...job({ completionMode: "Indexed", completions: 3, successPolicy: { rules: [{ succeededIndexes: "0-9" }] } }),
    ["Invalid spec.successPolicy.rules[0].succeededIndexes"],
  ],
  ["Job: managedBy long", ...job({ managedBy: "example.com/" + "a".repeat(70) }), ["TooLong spec.managedBy"]],
  ["Job: managedBy ok", ...job({ managedBy: "example.com/x" }), []],
  [
    "Job: replacement with failure policy",
    ...job({
      podReplacementPolicy: "TerminatingOrFailed",
      podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "a", status: "True" }] }] },
    }),
    ["NotSupported spec.podReplacementPolicy"],
  ],
  [
    "Job: restart bad",
    ...job({ template: { spec: podSpec({ restartPolicy: "Foo" }) } }),
    ["NotSupported spec.template.spec.restartPolicy"],
  ],
  [
    "Job: manual selector empty",
    ...job({
      manualSelector: true,
      selector: {},
      template: { metadata: { labels: { a: "b" } }, spec: podSpec({ restartPolicy: "Never" }) },
    }),
    [],
  ],
  [
    "Job: name long idx",
    "/apis/batch/v1",
    "jobs",
    {
      metadata: { name: "a".repeat(62) },
      spec: { completionMode: "Indexed", completions: 30, template: { spec: podSpec({ restartPolicy: "Never" }) } },
    },
    ["Invalid metadata.name"],
  ],
  [
    "Job: name dot",
    "/apis/batch/v1",
    "jobs",
    { metadata: { name: "a.b" }, spec: { template: { spec: podSpec({ restartPolicy: "Never" }) } } },
    [],
  ],
  ["CronJob: star-5", ...cron({ schedule: "*-5 * * * *" }), []],
  ["CronJob: commas", ...cron({ schedule: "1,,2 * * * *" }), []],
  ["CronJob: comma only", ...cron({ schedule: ", * * * *" }), []],
  ["CronJob: plus", ...cron({ schedule: "+5 * * * *" }), []],
  ["CronJob: step 0", ...cron({ schedule: "*/0 * * * *" }), ["Invalid spec.schedule"]],
  ["CronJob: step big", ...cron({ schedule: "*/100 * * * *" }), []],
  ["CronJob: dow 7", ...cron({ schedule: "* * * * 7" }), ["Invalid spec.schedule"]],
  ["CronJob: every neg", ...cron({ schedule: "@every -1s" }), []],
  ["CronJob: every 0", ...cron({ schedule: "@every 0" }), []],
  ["CronJob: every huge", ...cron({ schedule: "@every 99999999999999999999h" }), ["Invalid spec.schedule"]],
  ["CronJob: every plus", ...cron({ schedule: "@every +1h" }), []],
  ["CronJob: reboot", ...cron({ schedule: "@reboot" }), ["Invalid spec.schedule"]],
  ["CronJob: lead space macro", ...cron({ schedule: " @hourly" }), ["Invalid spec.schedule"]],
  ["CronJob: lead space", ...cron({ schedule: "  * * * * *  " }), []],
  ["CronJob: names range wrap", ...cron({ schedule: "* * * * FRI-MON" }), ["Invalid spec.schedule"]],
  ["CronJob: mixed name", ...cron({ schedule: "* * * jAn *" }), []],
  ["CronJob: n/step", ...cron({ schedule: "5/15 * * * *" }), []],
  ["CronJob: range rev", ...cron({ schedule: "5-3 * * * *" }), ["Invalid spec.schedule"]],
  ["CronJob: tz both", ...cron({ schedule: "TZ=UTC * * * * *", timeZone: "UTC" }), ["Invalid spec.schedule"]],
  ["CronJob: tz lower", ...cron({ timeZone: "utc" }), ["Invalid spec.timeZone"]],
  ["CronJob: tz berlin lower", ...cron({ timeZone: "europe/berlin" }), ["Invalid spec.timeZone"]],
  ["CronJob: tz empty", ...cron({ timeZone: "" }), ["Invalid spec.timeZone"]],
  ["CronJob: tz EST5EDT", ...cron({ timeZone: "EST5EDT" }), []],
  ["CronJob: tz GMT+", ...cron({ timeZone: "Etc/GMT+5" }), []],
  ["CronJob: tz calcutta", ...cron({ timeZone: "Asia/Calcutta" }), []],
  ["CronJob: tz offset", ...cron({ timeZone: "+01:00" }), ["Invalid spec.timeZone"]],
  ["CronJob: tz dots", ...cron({ timeZone: "../etc" }), ["Invalid spec.timeZone"]],
  ["CronJob: tz US", ...cron({ timeZone: "US/Pacific" }), []],
  ["CronJob: tz posixrules", ...cron({ timeZone: "GB-Eire" }), []],
  ["CronJob: label bad", ...cron({ jobTemplate: { metadata: { labels: { "a b": "c" } }, spec: ending } }), []],
  [
    "CronJob: selector given",
    ...cron({
      jobTemplate: {
        spec: { selector: { matchLabels: { a: "b" } }, template: { spec: podSpec({ restartPolicy: "Never" }) } },
      },
    }),
    ["Invalid spec.jobTemplate.spec.selector"],
  ],
  ["CronJob: deadline 0", ...cron({ startingDeadlineSeconds: 0 }), []],
];
