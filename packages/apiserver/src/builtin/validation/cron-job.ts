import type { KubeObject } from "@capstan/schema";
import { isCronSchedule } from "../../values/cron-schedule.ts";
import { isSet, partOf, specOf, textOf } from "../../values/object-parts.ts";
import { between, type Causes, invalid, notSupported, oneOf } from "./causes.ts";
import { jobSpecCauses } from "./job.ts";

/** Names of Jobs get a suffix of eleven characters. */
const longestCronJobName = 52;

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

export const cronJobCauses = (object: KubeObject): Causes => {
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

export const cronJobNameCauses = ({ metadata: { name = "" } }: KubeObject): Causes =>
  name.length > longestCronJobName
    ? [invalid("metadata.name", name, `must be no more than ${longestCronJobName} characters`)]
    : [];
