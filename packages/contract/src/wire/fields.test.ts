import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { bootstrapConfig } from "./bootstrap-config.ts";
import { cluster, isPaused, pauseReasons } from "./cluster.ts";
import { controlPlane } from "./control-plane.ts";
import type { Field } from "./field.ts";
import { infraCluster } from "./infra-cluster.ts";
import { infraMachine } from "./infra-machine.ts";
import { machine } from "./machine.ts";
import { applyPatch } from "../patch/merge-patch.ts";

const object = (parts: Record<string, unknown> = {}): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { namespace: "team", name: "one" },
  ...parts,
});

type Row = readonly [name: string, contract: string, field: unknown, path: string, value: unknown, wire?: unknown];
const [old, now] = ["v1beta1", "v1beta2"] as const;
const at = (path: string, value: unknown): KubeObject =>
  object(path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>);

const domains = [{ name: "a", controlPlane: true, attributes: { rack: "1" } }, { name: "b" }];
const rows: readonly Row[] = [
  ["machine provider id", now, infraMachine.for("v1beta2").providerID, "spec.providerID", "x://1"],
  ["machine provisioned", now, infraMachine.for("v1beta2").provisioned, "status.initialization.provisioned", true],
  ["machine provisioned", old, infraMachine.for("v1beta1").provisioned, "status.ready", true],
  ["machine failure domain", now, infraMachine.for("v1beta2").failureDomain, "status.failureDomain", "a"],
  ["machine failure domain", old, infraMachine.for("v1beta1").failureDomain, "spec.failureDomain", "a"],
  [
    "machine addresses",
    now,
    infraMachine.for("v1beta2").addresses,
    "status.addresses",
    [{ type: "InternalIP", address: "10.0.0.1" }],
  ],
  ["cluster provisioned", now, infraCluster.for("v1beta2").provisioned, "status.initialization.provisioned", true],
  ["cluster provisioned", old, infraCluster.for("v1beta1").provisioned, "status.ready", true],
  [
    "cluster endpoint",
    now,
    infraCluster.for("v1beta2").endpoint,
    "spec.controlPlaneEndpoint",
    { host: "h", port: 6443 },
  ],
  ["failure domains", now, infraCluster.for("v1beta2").failureDomains, "status.failureDomains", domains],
  [
    "failure domains",
    old,
    infraCluster.for("v1beta1").failureDomains,
    "status.failureDomains",
    domains,
    { a: { controlPlane: true, attributes: { rack: "1" } }, b: {} },
  ],
  [
    "data secret created",
    now,
    bootstrapConfig.for("v1beta2").dataSecretCreated,
    "status.initialization.dataSecretCreated",
    true,
  ],
  ["data secret created", old, bootstrapConfig.for("v1beta1").dataSecretCreated, "status.ready", true],
  ["data secret name", old, bootstrapConfig.for("v1beta1").dataSecretName, "status.dataSecretName", "one"],
  ["initialized", now, controlPlane.for("v1beta2").initialized, "status.initialization.controlPlaneInitialized", true],
  ["initialized", old, controlPlane.for("v1beta1").initialized, "status.initialized", true],
  ["up to date", now, controlPlane.for("v1beta2").upToDateReplicas, "status.upToDateReplicas", 3],
  ["up to date", old, controlPlane.for("v1beta1").upToDateReplicas, "status.updatedReplicas", 3],
  ["rollout after", now, controlPlane.for("v1beta2").rolloutAfter, "spec.rollout.after", "2030-01-01T00:00:00Z"],
  ["rollout after", old, controlPlane.for("v1beta1").rolloutAfter, "spec.rolloutAfter", "2030-01-01T00:00:00Z"],
  ["node name", now, machine.nodeName, "status.nodeRef.name", "node-1"],
  [
    "infrastructure provisioned",
    now,
    cluster.infrastructureProvisioned,
    "status.initialization.infrastructureProvisioned",
    true,
  ],
];

describe("fields of the contract", () => {
  for (const [name, contract, field, path, value, wire] of rows) {
    it(`${name} (${contract}) reads and patches its path`, () => {
      const accessor = field as Field<never>;
      expect(accessor.path).toBe(path);
      expect(accessor.get(at(path, wire ?? value))).toEqual(value);
      expect(applyPatch(object(), accessor.patch(value as never))).toEqual(at(path, wire ?? value));
      expect(accessor.get(object())).toBeUndefined();
      expect(() => accessor.require(object())).toThrow(
        expect.objectContaining({ code: "wire.field_missing", message: `Thing team/one: ${path} is not set` }),
      );
      const wrong = at(path, Symbol("wrong"));
      expect(() => accessor.get(wrong)).toThrow(expect.objectContaining({ code: "wire.field_invalid" }));
    });
  }

  it("refuses failure domains in the shape of the other contract", () => {
    expect(() => infraCluster.for("v1beta1").failureDomains.get(at("status.failureDomains", domains))).toThrow();
    expect(() => infraCluster.for("v1beta2").failureDomains.get(at("status.failureDomains", { a: {} }))).toThrow();
  });

  it("removes a field", () => {
    expect(infraMachine.for("v1beta2").failureDomain.patch(null)).toEqual({ status: { failureDomain: null } });
  });

  it.each([
    [undefined],
    [null],
    [{}],
    [{ host: "h" }],
    [{ port: 6443 }],
    [{ host: "", port: 0 }],
    [{ host: "h", port: 0 }],
    [{ host: "", port: 6443 }],
    [{ host: "h", port: 65_536 }],
  ])("ignores the incomplete endpoint %j", (endpoint) => {
    expect(cluster.endpoint.get(at("spec.controlPlaneEndpoint", endpoint))).toBeUndefined();
  });
});

describe("isPaused", () => {
  const annotated = object({ metadata: { name: "one", annotations: { "cluster.x-k8s.io/paused": "" } } });
  it.each([
    ["nothing", object(), object(), false],
    ["the annotation", annotated, object(), true],
    ["the cluster", object(), at("spec.paused", true), true],
    ["a cluster that is not paused", object(), at("spec.paused", false), false],
    ["no cluster", object(), undefined, false],
  ])("decides by %s", (_case, subject, owner, expected) => {
    expect(isPaused(subject, owner)).toBe(expected);
  });

  it("has its reasons in upstream's words", () => {
    const paused = { ...annotated, kind: "Machine" };
    expect(pauseReasons(paused, at("spec.paused", true))).toEqual([
      "Cluster spec.paused is set to true",
      "Machine has the cluster.x-k8s.io/paused annotation",
    ]);
  });
});
