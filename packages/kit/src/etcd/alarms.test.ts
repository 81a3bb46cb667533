import { expect, it } from "vitest";
import { describeAlarms } from "./alarms.ts";

it.each([
  [["NOSPACE"], /^Alarms: NOSPACE \(its database is full.*capstan etcd defrag.*\)$/],
  [["NOSPACE", "CORRUPT"], /^Alarms: NOSPACE \(.*\), CORRUPT \(its data differ .*etcdctl.*\)$/],
  [["unknown"], /^Alarms: unknown$/],
])("the alarms %s say what to do", (alarms, expected) => {
  expect(describeAlarms(alarms)).toMatch(expected);
});
