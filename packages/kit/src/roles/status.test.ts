import { CapstanError, silentLogger } from "@capstan/contract";
import type { Retry } from "@capstan/contract";
import { applyPatch, contractLabel } from "@capstan/contract/wire";
import { kind, object, resource } from "@capstan/schema";
import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { standardConditions, verdictOn } from "../engine/conditions.ts";
import { failureOf, slowRetryMs } from "../engine/failures.ts";
import { contractOfKind } from "../engine/kind-contract.ts";
import type { Seen } from "../engine/observation.ts";
import { stepReason } from "../engine/reasons.ts";
import { PrunedFields } from "../engine/save/pruned-fields.ts";
import { clusterFactsPatch } from "./infra-cluster/status.ts";
import { factsPatch, machineProvision, wasCreated } from "./infra-machine/status.ts";
import { provisionedMilestone } from "./reasons.ts";

const machine = (parts: object = {}): KubeObject => ({
  apiVersion: "x/v1",
  kind: "AcmeMachine",
  metadata: { namespace: "n", name: "m" },
  ...parts,
});

const existing = { deleting: false } as const;

describe("a machine's facts", () => {
  const facts = {
    handle: "1",
    providerID: "acme://1",
    addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
    failureDomain: "a",
    interruptible: true,
    status: { instanceState: "running" },
    spec: { instanceID: 1 },
  } as const;
  it("become spec and status", () => {
    expect(factsPatch(machine(), facts, existing)).toEqual({
      spec: { providerID: "acme://1", instanceID: 1 },
      status: { instanceState: "running", addresses: facts.addresses, failureDomain: "a", interruptible: true },
    });
  });
  it("change nothing but status while the object is being deleted", () => {
    expect(factsPatch(machine(), facts, { deleting: true })).not.toHaveProperty("spec");
  });
  it("must not change the provider id", () => {
    expect(() => factsPatch(machine({ spec: { providerID: "acme://2" } }), facts, existing)).toThrow(
      expect.objectContaining({ code: "machine.provider_id_changed", retry: { kind: "never" } }),
    );
  });
  it("say whether a server was made once, in either contract", () => {
    expect(wasCreated(machine())).toBe(false);
    expect(wasCreated(machine({ spec: { providerID: "acme://1" } }))).toBe(true);
    expect(wasCreated(machine({ status: { ready: true } }))).toBe(true);
    expect(wasCreated(applyPatch(machine(), machineProvision.patch({ conditionOf: () => undefined })))).toBe(true);
  });
});

describe("what was observed", () => {
  const rows: readonly (readonly [Seen, boolean, string])[] = [
    [{ state: "present", handle: "1" }, false, "Ready=True/Ready Provisioned=True/Provisioned"],
    [{ state: "pending", handle: "1", reason: "Booting" }, false, "Ready=False/Booting Provisioned=False/Booting"],
    [
      { state: "pending", handle: "1", reason: "Stopped", step: "boot" },
      false,
      "Ready=False/Boot Provisioned=False/Boot",
    ],
    [{ state: "pending", handle: "1", reason: "Rebooting" }, true, "Ready=False/Rebooting"],
    [{ state: "failed", handle: "1", reason: "Broken", message: "m" }, true, "Ready=False/Broken"],
    [{ state: "removing", handle: "1" }, true, "Ready=False/Deleting"],
    [{ state: "removing", handle: "1", reason: "Wiping", message: "m" }, true, "Ready=False/Wiping"],
  ];
  for (const [observation, provisioned, expected] of rows) {
    it(`${observation.state}${provisioned ? " after it was provisioned" : ""}: ${expected}`, () => {
      const verdict = verdictOn(observation, { staged: ({ message }) => message, leaving: "it is being deleted" });
      const said = standardConditions(verdict, provisioned, provisionedMilestone).map(
        ({ reason, status, type }) => `${type}=${status}/${reason}`,
      );
      expect(said.join(" ")).toBe(expected);
    });
  }
  it.each([
    ["boot", "Boot"],
    ["attach-disks", "AttachDisks"],
    ["resizeDisk", "ResizeDisk"],
  ])("a step %s is the reason %s", (step, reason) => {
    expect(stepReason(step)).toBe(reason);
  });
});

const error = (code: string, retry: Retry): CapstanError =>
  new CapstanError({ code, reason: "Why", message: "said", retry });

describe("a failure", () => {
  const rows: readonly (readonly [unknown, object])[] = [
    [error("acme.down", { kind: "backoff" }), { lasting: false, alarming: true, severity: "Warning", message: "said" }],
    [error("acme.slow", { kind: "after", ms: 1 }), { lasting: false, alarming: false }],
    [error("acme.invalid", { kind: "never" }), { lasting: true, refused: false, alarming: true, severity: "Error" }],
    [
      error("acme.unauthorized", { kind: "never" }),
      { lasting: true, refused: true, message: "said (credentials: Secret n/s)", requeueAfterMs: slowRetryMs },
    ],
    [
      error("credentials.secret_missing", { kind: "backoff" }),
      { lasting: true, refused: true, requeueAfterMs: slowRetryMs },
    ],
    [
      new TypeError("token=secret"),
      { reason: "InternalError", lasting: false, message: expect.not.stringContaining("secret") },
    ],
  ];
  it("that passes is said of what is to go, and not of what has been built", () => {
    const failure = failureOf(error("acme.locked", { kind: "after", ms: 1 }));
    const said = (leaving: boolean) =>
      standardConditions({ ready: false, ...failure, failure, leaving }, true, provisionedMilestone).map(
        ({ reason, status, type }) => `${type}=${status}/${reason}`,
      );
    expect(said(false)).toEqual([]);
    expect(said(true)).toEqual(["Ready=False/Why"]);
  });
  it.each(rows)("%o means %o", (thrown, expected) => {
    expect(failureOf(thrown, "n/s")).toMatchObject(expected);
  });
  it("that passes says nothing about what was built before", () => {
    const said = (retry: Retry) => {
      const failure = failureOf(error("acme.failed", retry));
      return standardConditions({ ready: false, ...failure, failure }, true, provisionedMilestone);
    };
    expect(said({ kind: "backoff" })).toEqual([]);
    expect(said({ kind: "never" })).toMatchObject([{ type: "Ready", status: "False" }]);
  });
  it("of credentials leaves unknown what was built before, unless they kept something from being done", () => {
    const failure = failureOf(error("acme.forbidden", { kind: "never" }));
    const said = (unseen: boolean, built: boolean) =>
      standardConditions({ ready: false, ...failure, failure, unseen }, built, provisionedMilestone).map(
        ({ reason, status, type }) => `${type}=${status}/${reason}`,
      );
    expect(said(true, true)).toEqual(["Ready=Unknown/Why"]);
    expect(said(false, true)).toEqual(["Ready=False/Why"]);
    expect(said(true, false)).toEqual(["Ready=False/Why", "Provisioned=False/Why"]);
  });
  it("of looking leaves unknown what was built before", () => {
    const said = (retry: Retry, built: boolean) => {
      const failure = failureOf(error("acme.failed", retry));
      return standardConditions({ ready: false, ...failure, failure, unseen: true }, built, provisionedMilestone);
    };
    expect(said({ kind: "backoff" }, true)).toEqual([
      { type: "Ready", status: "Unknown", reason: "Why", message: "said" },
    ]);
    expect(said({ kind: "backoff" }, false)).toMatchObject([{ status: "False" }, { status: "False" }]);
    expect(said({ kind: "never" }, true)).toMatchObject([{ type: "Ready", status: "False" }]);
  });
});

describe("a cluster's facts", () => {
  const domains = [{ name: "a", controlPlane: true }];
  it("set the endpoint once", () => {
    const endpoint = { host: "h", port: 6443 };
    expect(clusterFactsPatch(machine(), { endpoint }, { contract: "v1beta2", deleting: false })).toEqual({
      spec: { controlPlaneEndpoint: endpoint },
    });
    const given = machine({ spec: { controlPlaneEndpoint: { host: "mine", port: 1 } } });
    expect(clusterFactsPatch(given, { endpoint }, { contract: "v1beta2", deleting: false })).toEqual({});
  });
  it("write failure domains in the contract's shape", () => {
    expect(clusterFactsPatch(machine(), { failureDomains: domains }, { contract: "v1beta2", deleting: false })).toEqual(
      {
        status: { failureDomains: domains },
      },
    );
    const before = machine({ status: { failureDomains: { a: {}, gone: {} } } });
    expect(clusterFactsPatch(before, { failureDomains: domains }, { contract: "v1beta1", deleting: false })).toEqual({
      status: { failureDomains: { a: { controlPlane: true }, gone: null } },
    });
  });
});

describe("fields that the API server drops", () => {
  const acme = resource({ group: "x", version: "v1", kind: "AcmeMachine", plural: "acmemachines" });
  it("are not asked for again, and only they", () => {
    const pruned = new PrunedFields(acme, "v1beta2");
    const asked = { status: { ready: true, initialization: { provisioned: true }, gone: null } };
    expect(pruned.without(asked)).toBe(asked);
    pruned.learn(machine({ status: { initialization: { provisioned: true } } }), asked, silentLogger);
    expect(pruned.without(asked)).toEqual({ status: { initialization: { provisioned: true }, gone: null } });
  });
});

it.each([
  [{}, "v1beta2"],
  [{ [contractLabel("v1beta1")]: "v1alpha1" }, "v1beta1"],
  [{ [contractLabel("v1beta1")]: "v1alpha1", [contractLabel("v1beta2")]: "v1alpha1" }, "v1beta2"],
])("a kind with the labels %j speaks %s", (labels, contract) => {
  const acme = kind({
    group: "x",
    version: "v1alpha1",
    kind: "A",
    plural: "as",
    description: "A.",
    labels,
    spec: object({}),
  });
  expect(contractOfKind(acme as never)).toBe(contract);
});
