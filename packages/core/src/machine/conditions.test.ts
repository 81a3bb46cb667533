import { Group } from "@capstan/contract";
import { upToDateCondition } from "@capstan/kit/machines";
import { describe, expect, it } from "vitest";
import { at, condition, machine, ms } from "../../test/objects.ts";
import type { Machine } from "../api.ts";
import type { ExternalObservation } from "../external/observation.ts";
import {
  availableCondition,
  bootstrapConfigReady,
  deletingCondition,
  infrastructureReady,
  readyCondition,
} from "./conditions.ts";

const reference = { apiGroup: Group.bootstrap, kind: "TestConfig", name: "m" };
const found = (contract: "v1beta1" | "v1beta2", status: object): ExternalObservation => ({
  state: "found",
  external: {
    contract,
    resource: { group: Group.bootstrap, version: "v1", kind: "TestConfig", plural: "testconfigs", namespaced: true },
    object: { apiVersion: `${Group.bootstrap}/v1`, kind: "TestConfig", metadata: { name: "m" }, status },
  },
});
const missing: ExternalObservation = { state: "missing", reference };
const unreadable: ExternalObservation = { state: "unreadable", reference };
const deleted = { metadata: { deletionTimestamp: at(1) } };
const created = { status: { initialization: { bootstrapDataSecretCreated: true } } };
const provisioned = { status: { initialization: { infrastructureProvisioned: true } } };

describe("bootstrapConfigReady", () => {
  it.each<[string, Parameters<typeof machine>[0], ExternalObservation, object]>([
    [
      "data of the user's",
      { spec: { bootstrap: { dataSecretName: "s" } } },
      { state: "unreferenced" },
      { status: "True", reason: "DataSecretProvided" },
    ],
    [
      "a Ready condition",
      {},
      found("v1beta2", { conditions: [condition("Ready", "False", { reason: "Boiling", message: "hot", since: 5 })] }),
      { status: "False", reason: "Boiling", message: "hot", lastTransitionTime: at(5) },
    ],
    [
      "an older Ready condition",
      {},
      found("v1beta1", { conditions: [{ type: "Ready", status: "True", lastTransitionTime: at(5) }] }),
      { status: "True", reason: "Ready" },
    ],
    [
      "the flag only",
      {},
      found("v1beta2", { initialization: { dataSecretCreated: true }, dataSecretName: "s" }),
      { status: "True", reason: "Ready" },
    ],
    [
      "the older flag only",
      {},
      found("v1beta1", { ready: true, dataSecretName: "s" }),
      { status: "True", reason: "Ready" },
    ],
    [
      "the flag without a Secret's name",
      {},
      found("v1beta2", { initialization: { dataSecretCreated: true }, conditions: [condition("Ready", "True")] }),
      { status: "Unknown", reason: "InternalError", message: "TestConfig m: status.dataSecretName is not set" },
    ],
    [
      "an empty name",
      {},
      found("v1beta2", { initialization: { dataSecretCreated: true }, dataSecretName: "" }),
      { status: "Unknown", reason: "InternalError" },
    ],
    ["a flag that is none", {}, found("v1beta1", { ready: "yes" }), { status: "Unknown", reason: "InternalError" }],
    [
      "nothing yet",
      {},
      found("v1beta2", {}),
      { status: "False", reason: "NotReady", message: "TestConfig status.initialization.dataSecretCreated is false" },
    ],
    [
      "a condition without a status",
      {},
      found("v1beta2", { conditions: [{ type: "Ready" }] }),
      { status: "Unknown", reason: "InvalidConditionReported" },
    ],
    [
      "no object",
      {},
      missing,
      {
        status: "False",
        reason: "ObjectDoesNotExist",
        message: "TestConfig m does not exist; create it or correct spec.bootstrap.configRef",
      },
    ],
    [
      "no object any more, on the way out",
      { ...deleted, ...created },
      missing,
      { status: "False", reason: "ObjectDeleted" },
    ],
    ["a failed read", {}, unreadable, { status: "Unknown", reason: "InternalError" }],
  ])("from %s", (_, parts, observation, expected) => {
    expect(bootstrapConfigReady(machine(parts), observation)).toMatchObject({
      type: "BootstrapConfigReady",
      ...expected,
    });
  });
});

describe("infrastructureReady", () => {
  it.each<[string, Parameters<typeof machine>[0], ExternalObservation, object]>([
    [
      "a Ready condition",
      {},
      found("v1beta2", { conditions: [condition("Ready", "True", { since: 5 })] }),
      { status: "True", lastTransitionTime: at(5) },
    ],
    [
      "the flag only",
      {},
      found("v1beta2", { initialization: { provisioned: true } }),
      { status: "True", reason: "Ready" },
    ],
    [
      "nothing yet, older",
      {},
      found("v1beta1", {}),
      { status: "False", reason: "NotReady", message: "TestConfig status.ready is false" },
    ],
    ["a flag that is none", {}, found("v1beta1", { ready: 1 }), { status: "Unknown", reason: "InternalError" }],
    [
      "no object yet",
      {},
      missing,
      {
        status: "False",
        reason: "ObjectDoesNotExist",
        message: "TestConfig m does not exist; create it or correct spec.infrastructureRef",
      },
    ],
    [
      "an object lost",
      provisioned,
      missing,
      {
        status: "False",
        reason: "ObjectDeleted",
        message: "TestConfig has been deleted while the Machine still exists",
      },
    ],
    [
      "an object deleted",
      { ...deleted, ...provisioned },
      missing,
      { status: "False", reason: "ObjectDeleted", message: "TestConfig has been deleted" },
    ],
    ["a failed read", {}, unreadable, { status: "Unknown", reason: "InternalError" }],
  ])("from %s", (_, parts, observation, expected) => {
    expect(infrastructureReady(machine(parts), observation)).toMatchObject({
      type: "InfrastructureReady",
      ...expected,
    });
  });
});

const good = ["BootstrapConfigReady", "InfrastructureReady", "NodeHealthy"].map((type) => condition(type, "True"));
const notDeleting = condition("Deleting", "False", { reason: "NotDeleting" });

const ready = (given: Machine, ...more: ReturnType<typeof condition>[]) =>
  readyCondition(
    given,
    [notDeleting, ...good.filter(({ type }) => !more.some((other) => other.type === type)), ...more],
    ms(1000),
  );

describe("readyCondition", () => {
  it("is True when all is well, with or without a health check", () => {
    expect(ready(machine())).toMatchObject({ status: "True", reason: "Ready" });
    expect(ready(machine(), condition("HealthCheckSucceeded", "True"))).toMatchObject({ status: "True" });
  });

  it("is an issue as soon as one input is, and names all in their order", () => {
    const result = ready(
      machine(),
      condition("NodeHealthy", "Unknown", { message: "no answer" }),
      condition("HealthCheckSucceeded", "False", { message: "sick" }),
    );
    expect(result).toMatchObject({
      status: "False",
      reason: "NotReady",
      message: "* NodeHealthy: no answer\n* HealthCheckSucceeded: sick",
    });
  });

  it("counts a missing input as not known", () => {
    expect(readyCondition(machine(), [notDeleting], ms(0))).toMatchObject({
      status: "Unknown",
      reason: "ReadyUnknown",
    });
  });

  it.each([
    ["Positive", "True", "True"],
    ["Positive", "False", "False"],
    ["Negative", "False", "True"],
    ["Negative", "True", "False"],
    [undefined, "False", "False"],
  ] as const)("obeys a gate of polarity %s that is %s", (polarity, status, expected) => {
    const gate = { conditionType: "Gate", ...(polarity === undefined ? {} : { polarity }) };
    expect(ready(machine({ spec: { readinessGates: [gate] } }), condition("Gate", status)).status).toBe(expected);
  });

  const leaving = machine({
    metadata: { deletionTimestamp: at(0) },
    status: { deletion: { nodeDrainStartTime: at(0) } },
  });
  const draining = condition("Deleting", "True", {
    reason: "DrainingNode",
    message: "* Pod a: cannot evict pod as it would violate the pod's disruption budget. x",
  });
  it("says only the stage of a deletion, and forgives what is gone", () => {
    const gone = condition("InfrastructureReady", "False", { reason: "ObjectDeleted" });
    const result = readyCondition(
      leaving,
      [draining, gone, condition("NodeHealthy", "Unknown", { reason: "NodeDoesNotExist" })],
      ms(60),
    );
    expect(result.message).toBe("* Deleting: Machine deletion in progress, stage: DrainingNode");
  });

  it("says after a quarter of an hour what the drain waits for", () => {
    expect(readyCondition(leaving, [draining], ms(16 * 60)).message).toBe(
      "* Deleting: Machine deletion in progress, stage: DrainingNode; it has been in deletion for more than 15m, delay likely due to PodDisruptionBudgets",
    );
  });
});

describe("readyCondition of a control-plane Machine", () => {
  const types = ["APIServerPodHealthy", "ControllerManagerPodHealthy", "SchedulerPodHealthy"];
  const member = machine({ spec: { readinessGates: [...types, "Other"].map((conditionType) => ({ conditionType })) } });
  const lost = { message: "Node n is unreachable" };
  const other = [condition("Other", "True"), condition("Deleting", "False")];
  it("says once what all components say", () => {
    const all = types.map((type) => condition(type, "Unknown", lost));
    expect(readyCondition(member, [...good, ...all, ...other], ms(1))).toMatchObject({
      status: "Unknown",
      message: "* Control plane components: Node n is unreachable",
    });
  });

  it("says of each what only it says", () => {
    const [first = "", ...rest] = types;
    const mixed = [
      condition(first, "False", { message: "Pod crashes" }),
      ...rest.map((type) => condition(type, "True")),
    ];
    expect(readyCondition(member, [...good, ...mixed, ...other], ms(1)).message).toBe(
      "* APIServerPodHealthy: Pod crashes",
    );
  });

  it("does not take what is not reported for the same", () => {
    const [first = ""] = types;
    expect(readyCondition(member, [...good, condition(first, "Unknown", lost), ...other], ms(1)).message).toBe(
      [
        "* APIServerPodHealthy: Node n is unreachable",
        "* ControllerManagerPodHealthy: Condition not yet reported",
        "* SchedulerPodHealthy: Condition not yet reported",
      ].join("\n"),
    );
  });
});

describe("availableCondition", () => {
  const patient = machine({ spec: { minReadySeconds: 10 } });
  it.each([
    [undefined, 20, { condition: { type: "Available", status: "False", reason: "NotReady" } }],
    [condition("Ready", "Unknown"), 20, { condition: { type: "Available", status: "False", reason: "NotReady" } }],
    [
      condition("Ready", "True", { since: 15 }),
      20,
      { condition: { type: "Available", status: "False", reason: "WaitingForMinReadySeconds" }, remainingMs: 5000 },
    ],
    [
      condition("Ready", "True", { since: 10 }),
      20,
      { condition: { type: "Available", status: "True", reason: "Available" } },
    ],
  ] as const)("with Ready %j at %s s", (reported, now, expected) => {
    expect(availableCondition(patient, reported, ms(now))).toEqual(expected);
  });
});

describe("deletingCondition", () => {
  it("is quiet until the Machine is deleted", () => {
    expect(deletingCondition(machine(), undefined)).toMatchObject({ status: "False", reason: "NotDeleting" });
    const progress = { reason: "WaitingForPreDrainHook", message: "x" };
    expect(deletingCondition(machine(deleted), progress)).toMatchObject({ status: "True", ...progress });
  });
});

describe("upToDateCondition", () => {
  it("lists the reasons", () => {
    expect(upToDateCondition([])).toMatchObject({ status: "True", reason: "UpToDate" });
    expect(upToDateCondition(["a", "b"])).toMatchObject({
      status: "False",
      reason: "NotUpToDate",
      message: "* a\n* b",
    });
  });
});
