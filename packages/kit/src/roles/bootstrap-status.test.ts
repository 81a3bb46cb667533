import { CapstanError } from "@capstan/contract";
import { type ConditionInput, setDeprecatedCondition } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import type { Verdict } from "../engine/conditions.ts";
import { failureOf } from "../engine/failures.ts";
import { bootstrapConditions } from "./bootstrap-status.ts";
import { RoleReason } from "./reasons.ts";

const config: KubeObject = { apiVersion: "x/v1", kind: "NoteConfig", metadata: { namespace: "n", name: "c" } };
const machine: KubeObject = { apiVersion: "x/v1", kind: "Machine", metadata: { namespace: "n", name: "m" } };

const failed = (retry: CapstanError["retry"]): Verdict => {
  const error = new CapstanError({ code: "note.broken", reason: "NoteBroken", message: "spec.note: broken", retry });
  const failure = failureOf(error);
  return { ...failure, ready: false, failure };
};

const waiting = (reason: string): Verdict => ({ ready: false, reason, message: "not yet", severity: "Info" });

/** DataSecretAvailable in both generations. */
const availability = (verdict: Verdict): { readonly newer: object; readonly older: object | undefined } => {
  const context = { changes: { object: config }, clock: { now: () => 0 } } as unknown as Parameters<
    typeof bootstrapConditions
  >[1];
  const said = bootstrapConditions(verdict, context, { machine, said: new Map(), readyInputs: [] });
  const condition = said.find(({ type }: ConditionInput) => type === "DataSecretAvailable")!;
  return {
    newer: { status: condition.status, reason: condition.reason, message: condition.message },
    older: setDeprecatedCondition([], condition, { now: 0 })[0],
  };
};

it.each([
  ["that may pass", { kind: "backoff" }],
  ["that only a user can mend", { kind: "never" }],
] as const)("a failure %s has one reason of its own in the older generation of conditions alone", (_, retry) => {
  const { newer, older } = availability(failed(retry));
  expect(newer).toEqual({ status: "False", reason: "NotAvailable", message: "spec.note: broken" });
  expect(older).toMatchObject({
    status: "False",
    reason: "DataSecretGenerationFailed",
    severity: "Warning",
    message: "spec.note: broken",
  });
});

it.each([
  [RoleReason.waitingForControlPlane, "NotAvailable"],
  [RoleReason.waitingForClusterInfrastructure, "NotAvailable"],
  ["WaitingForToken", "WaitingForToken"],
])("what is waited for with %s is %s in the newer generation", (reason, expected) => {
  const { newer, older } = availability(waiting(reason));
  expect(newer).toEqual({ status: "False", reason: expected, message: "not yet" });
  expect(older).toMatchObject({ status: "False", reason, severity: "Info" });
});
