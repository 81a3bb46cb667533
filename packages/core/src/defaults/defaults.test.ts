import { Annotation, Label } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { healthCheck, machine, machineDeployment, machinePool, machineSet } from "../../test/objects.ts";
import {
  defaultMachine,
  defaultMachineDeployment,
  defaultMachineHealthCheck,
  defaultMachinePool,
  defaultMachineSet,
} from "./defaults.ts";
import { defaultReplicas } from "./replicas.ts";

describe("defaultMachine", () => {
  it("fills in what is missing", () => {
    const result = defaultMachine(machine({ spec: { version: "1.33.4", deletion: { nodeDrainTimeoutSeconds: 30 } } }));
    expect(result.metadata.labels).toEqual({ [Label.clusterName]: "prod" });
    expect(result.spec.version).toBe("v1.33.4");
    expect(result.spec.deletion).toEqual({ nodeDrainTimeoutSeconds: 30, nodeDeletionTimeoutSeconds: 10 });
  });

  it("keeps an explicit zero, and returns a complete object as it is", () => {
    const complete = defaultMachine(machine({ spec: { deletion: { nodeDeletionTimeoutSeconds: 0 } } }));
    expect(complete.spec.deletion).toEqual({ nodeDeletionTimeoutSeconds: 0 });
    expect(defaultMachine(complete)).toBe(complete);
  });
});

describe("defaultMachineSet", () => {
  it("makes an empty selector the set's own name", () => {
    const result = defaultMachineSet(machineSet({ spec: { selector: {} } }));
    const labels = { [Label.setName]: "set", [Label.clusterName]: "prod" };
    expect(result.spec.selector).toEqual({ matchLabels: labels });
    expect(result.spec.template.metadata?.labels).toEqual(labels);
  });

  it("keeps a selector, and adds the cluster to it", () => {
    const result = defaultMachineSet(machineSet({ spec: { selector: { matchLabels: { app: "web" } } } }));
    expect(result.spec.selector.matchLabels).toEqual({ app: "web", [Label.clusterName]: "prod" });
    expect(result.spec.template.metadata?.labels).toEqual({ [Label.clusterName]: "prod" });
  });

  it("hashes a name that is not a label value", () => {
    const result = defaultMachineSet(machineSet({ metadata: { name: "s".repeat(70) }, spec: { selector: {} } }));
    expect(result.spec.selector.matchLabels?.[Label.setName]).toMatch(/^hash_/);
  });

  it("changes nothing a second time", () => {
    const once = defaultMachineSet(machineSet({ spec: { selector: {} } }));
    expect(defaultMachineSet(once)).toBe(once);
  });
});

describe("defaultMachineDeployment", () => {
  it("works with a selector whose labels are null, as upstream's manifests write it", () => {
    const given = machineDeployment();
    const selector = { matchLabels: null } as unknown as typeof given.spec.selector;
    const result = defaultMachineDeployment({ ...given, spec: { ...given.spec, selector } });
    const labels = { [Label.deploymentName]: "md", [Label.clusterName]: "prod" };
    expect(result.spec.selector.matchLabels).toEqual(labels);
    expect(result.spec.template.metadata?.labels).toEqual(labels);
  });

  it("leaves its name out of a template that has a selector of its own", () => {
    const given = machineDeployment();
    const selector = { matchLabels: { app: "a" } };
    const template = { ...given.spec.template, metadata: { labels: { app: "a" } } };
    const { spec } = defaultMachineDeployment({ ...given, spec: { ...given.spec, selector, template } });
    expect(spec.template.metadata?.labels).toEqual({ app: "a", [Label.clusterName]: "prod" });
  });

  it.each([
    [undefined, { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }],
    [{ type: "RollingUpdate" }, { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }],
    [
      { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "20%" } },
      { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: "20%" } },
    ],
    [{ type: "OnDelete" }, { type: "OnDelete" }],
  ] as const)("completes the strategy %j", (strategy, expected) => {
    const rollout = strategy === undefined ? {} : { strategy };
    const given = machineDeployment({ spec: { rollout } });
    expect(defaultMachineDeployment(given).spec.rollout?.strategy).toEqual(expected);
  });

  it("changes nothing a second time", () => {
    const once = defaultMachineDeployment(machineDeployment());
    expect(defaultMachineDeployment(once)).toBe(once);
  });
});

describe("defaultMachinePool", () => {
  it("fills in what is missing, and nothing a second time", () => {
    const result = defaultMachinePool(machinePool({}, { version: "1.33.4" }));
    expect(result.metadata.labels).toEqual({ [Label.clusterName]: "prod" });
    expect(result.spec.replicas).toBe(1);
    expect(result.spec.template.spec).toMatchObject({
      version: "v1.33.4",
      deletion: { nodeDeletionTimeoutSeconds: 10 },
    });
    expect(result.spec.template.metadata).toBeUndefined();
    expect(defaultMachinePool(result)).toBe(result);
  });

  it("leaves its size to an autoscaler", () => {
    const { annotations } = sizes("3", "5");
    const old = machinePool({ spec: { replicas: 4 } });
    expect(defaultMachinePool(machinePool({ metadata: { annotations } }), old).spec.replicas).toBe(4);
  });
});

describe("defaultMachineHealthCheck", () => {
  it("fills in what is missing, and keeps a zero", () => {
    const result = defaultMachineHealthCheck(healthCheck());
    expect(result.metadata.labels).toEqual({ [Label.clusterName]: "prod" });
    expect(result.spec.checks).toEqual({ nodeStartupTimeoutSeconds: 600 });
    expect(defaultMachineHealthCheck(result)).toBe(result);
    const unlimited = { nodeStartupTimeoutSeconds: 0 };
    expect(defaultMachineHealthCheck(healthCheck({ checks: unlimited })).spec.checks).toEqual(unlimited);
  });
});

const sizes = (min?: string, max?: string) => ({
  annotations: {
    ...(min === undefined ? {} : { [Annotation.autoscalerMinSize]: min }),
    ...(max === undefined ? {} : { [Annotation.autoscalerMaxSize]: max }),
  },
});

describe("defaultReplicas", () => {
  it.each([
    [undefined, undefined, 1],
    ["3", undefined, 1],
    [undefined, "5", 1],
    [undefined, "many", 1],
    ["3", "5", 3],
    ["0", "5", 0],
  ])("with autoscaler bounds %s and %s", (min, max, expected) => {
    expect(defaultReplicas(sizes(min, max))).toBe(expected);
  });

  it.each([
    [2, 3],
    [4, 4],
    [9, 5],
  ])("within the autoscaler's bounds, after %s", (before, expected) => {
    expect(defaultReplicas(sizes("3", "5"), before)).toBe(expected);
    expect(defaultReplicas(sizes(), before)).toBe(1);
  });

  it.each(["some", "", "1.5", "1e2"])("refuses %o as a bound", (bound) => {
    expect(() => defaultReplicas(sizes(bound, "5"))).toThrow("must be a whole number");
  });
});
