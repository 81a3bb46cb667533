import { expect, it } from "vitest";
import { conditionReasons, conditionTable, conditionTypes, summaryInputs, v1beta1Parts } from "./condition-table.ts";

const table = conditionTable({
  deleting: { type: "Deleting", about: "", negative: true, summary: "always" },
  drained: { type: "Drained", about: "", only: "v1beta1", v1beta1: "Drained", v1beta1Place: 2 },
  disk: { type: "DiskReady", about: "", summary: "unlessDeleting", v1beta1: "VolumeReady", v1beta1Place: 1 },
  updating: { type: "Updating", about: "", negative: true, summary: "ifReported" },
  ready: { type: "Ready", about: "", reasons: { ready: "Ready", notReady: "NotReady" } },
});

it("keeps conditions in the order in which they are stored, those of v1beta1 alone last", () => {
  expect(Object.keys(table)).toEqual(["ready", "disk", "updating", "deleting", "drained"]);
});

it("names types and reasons as the code does", () => {
  expect(conditionTypes(table).disk).toBe("DiskReady");
  expect(conditionReasons(table)).toEqual({ ready: { ready: "Ready", notReady: "NotReady" } });
});

it("sums up the deletion first, then what is bad, then the rest", () => {
  expect(summaryInputs(table)).toEqual([
    { type: "Deleting", negative: true, ignoreIfAbsent: false },
    { type: "Updating", negative: true, ignoreIfAbsent: true },
    { type: "DiskReady", ignoreIfAbsent: false },
  ]);
});

it("leaves out during a deletion what may be absent then, and replaces messages", () => {
  const message = (): string => "stage";
  expect(summaryInputs(table, { deleting: true, messages: { DiskReady: message } }).at(-1)).toEqual({
    type: "DiskReady",
    ignoreIfAbsent: true,
    message,
  });
});

it("names the parts of Ready of v1beta1 by their names there, by place", () => {
  expect(v1beta1Parts(table)).toEqual(["VolumeReady", "Drained"]);
});
