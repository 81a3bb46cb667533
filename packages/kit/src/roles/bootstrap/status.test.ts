import { CapstanError } from "@capstan/contract";
import { type ConditionInput, setDeprecatedCondition } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import type { Verdict } from "../../engine/conditions.ts";
import { failureOf } from "../../engine/failures.ts";
import { bootstrapConditions } from "./status.ts";
import { RoleReason } from "../reasons.ts";

const config: KubeObject = { apiVersion: "x/v1", kind: "NoteConfig", metadata: { namespace: "n", name: "c" } };
const machine: KubeObject = { apiVersion: "x/v1", kind: "Machine", metadata: { namespace: "n", name: "m" } };

const cluster: KubeObject = { apiVersion: "x/v1", kind: "Cluster", metadata: { namespace: "n", name: "cl" } };
const begun = {
  ...cluster,
  status: {
    initialization: { controlPlaneInitialized: true },
    conditions: [{ type: "ControlPlaneInitialized", status: "True" }],
  },
};

const failed = (retry: CapstanError["retry"]): Verdict => {
  const error = new CapstanError({ code: "note.broken", reason: "NoteBroken", message: "spec.note: broken", retry });
  const failure = failureOf(error);
  return { ...failure, ready: false, failure };
};

const waiting = (reason: string): Verdict => ({ ready: false, reason, message: "not yet", severity: "Info" });

const context = { changes: { object: config }, clock: { now: () => 0 } } as unknown as Parameters<
  typeof bootstrapConditions
>[1];

/** DataSecretAvailable in both generations. */
const availability = (verdict: Verdict): { readonly newer: object; readonly older: object | undefined } => {
  const said = bootstrapConditions(verdict, context, { machine, cluster, said: new Map(), readyInputs: [] });
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

const broken = { type: "NoteReadable", status: "Unknown", reason: "InternalError", message: "it is torn" } as const;

it("a failure of who may begin the control plane is one of the data as well, by which the lock's release wakes nobody who fails", () => {
  const said = bootstrapConditions(failed({ kind: "backoff" }), context, {
    machine,
    cluster,
    said: new Map([[broken.type, broken]]),
    readyInputs: [broken.type],
  });
  expect(said.map(({ type }) => type)).toEqual(["DataSecretAvailable", "NoteReadable", "Ready"]);
});

it("a failure that a condition of the author's says is left to that one", () => {
  const older = { status: "False", reason: "NoteTorn", severity: "Error" } as const;
  const said = bootstrapConditions(failed({ kind: "backoff" }), context, {
    machine,
    cluster: begun,
    said: new Map([[broken.type, { ...broken, deprecated: older }]]),
    readyInputs: [broken.type],
  });
  expect(said.map(({ type }) => type)).toEqual(["NoteReadable", "Ready"]);
  expect(said[1]).toMatchObject({
    status: "Unknown",
    reason: "ReadyUnknown",
    message: "* DataSecretAvailable: Condition not yet reported\n* NoteReadable: it is torn",
  });
  expect(setDeprecatedCondition([], said[1]!, { now: 0 })).toMatchObject([{ status: "False", reason: "NoteTorn" }]);
});

it("a failure behind a condition of the author's that is met is one of the data", () => {
  const met = { type: "NoteReadable", status: "True", reason: "Available" } as const;
  const said = bootstrapConditions(failed({ kind: "backoff" }), context, {
    machine,
    cluster: begun,
    said: new Map([[met.type, met]]),
    readyInputs: [met.type],
  });
  expect(said.find(({ type }) => type === "DataSecretAvailable")).toMatchObject({ message: "spec.note: broken" });
});

it("a condition of the author's from another time explains nothing now", () => {
  const stood = { type: "NoteReadable", status: "Unknown", reason: "InternalError", message: "it was torn" };
  const object = { ...config, status: { conditions: [{ ...stood, lastTransitionTime: "2026-01-01T00:00:00Z" }] } };
  const said = bootstrapConditions(
    failed({ kind: "backoff" }),
    { ...context, changes: { object } } as unknown as typeof context,
    { machine, cluster: begun, said: new Map(), readyInputs: [stood.type] },
  );
  expect(said.find(({ type }) => type === "DataSecretAvailable")).toMatchObject({ message: "spec.note: broken" });
});

it("nothing is said of the data while it is being made", () => {
  const said = bootstrapConditions(waiting("Generate"), context, {
    machine,
    cluster,
    said: new Map(),
    readyInputs: [],
  });
  expect(said.map(({ type }) => type)).toEqual(["Ready"]);
});
