import { Annotation, Label, Taint } from "@capstan/contract";
import type { Cause } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import {
  cluster,
  drainRule,
  healthCheck,
  ipAddress,
  ipAddressClaim,
  machine,
  machineDeployment,
  machinePool,
  machineSet,
} from "../../test/objects.ts";
import type { MachineDrainRule, MachineHealthCheck, MachineSet } from "../api.ts";
import { isCidr, validateCluster } from "./cluster.ts";
import { validateIPAddress, validateIPAddressClaim } from "./ip-address.ts";
import { validateMachine } from "./machine.ts";
import { validateMachineDeployment } from "./machine-deployment.ts";
import { validateMachineDrainRule } from "./machine-drain-rule.ts";
import { validateMachineHealthCheck } from "./machine-health-check.ts";
import { validateMachinePool } from "./machine-pool.ts";
import { validateMachineSet } from "./machine-set.ts";

const fields = (causes: readonly Cause[]): readonly string[] => causes.map(({ field }) => field);
const long = "a".repeat(64);

const taint = (key: string) => ({ key, effect: "NoSchedule", propagation: "Always" }) as const;
const network = (cidrBlocks: readonly string[]) => ({ clusterNetwork: { pods: { cidrBlocks } } });

describe("validateMachine", () => {
  type Parts = Parameters<typeof machine>[0];
  it.each<[string, Parts, readonly string[]]>([
    ["a complete one", { spec: { version: "v1.33.4" } }, []],
    ["no bootstrap", { spec: { bootstrap: {} } }, ["spec.bootstrap"]],
    ["no bootstrap, in a pool", { metadata: { labels: { [Label.poolName]: "p" } }, spec: { bootstrap: {} } }, []],
    ["data by hand", { spec: { bootstrap: { dataSecretName: "mine" } } }, []],
    ["no data by hand", { spec: { bootstrap: { dataSecretName: "" } } }, []],
    ["another cluster", { spec: { clusterName: "other" } }, ["spec.clusterName"]],
    ["a version without v", { spec: { version: "1.33.4" } }, ["spec.version"]],
    ["half a version", { spec: { version: "v1.33" } }, ["spec.version"]],
    ["a version with a leading zero", { spec: { version: "v1.033.4" } }, ["spec.version"]],
    ["a version with build", { spec: { version: "v1.33.4+rke2r1" } }, []],
    ["a pre-release", { spec: { version: "v1.34.0-rc.1" } }, []],
    ["a taint", { spec: { taints: [taint("team/a")] } }, []],
    ["no key", { spec: { taints: [taint("-a")] } }, ["spec.taints[0].key"]],
    ["a taint of Cluster API", { spec: { taints: [taint(Taint.uninitialized.key)] } }, ["spec.taints[0].key"]],
    ["another one", { spec: { taints: [taint("a"), taint(Taint.outdatedRevision.key)] } }, ["spec.taints[1].key"]],
    ["a taint of Kubernetes", { spec: { taints: [taint("node.kubernetes.io/not-ready")] } }, ["spec.taints[0].key"]],
    ["the one of them that people set", { spec: { taints: [taint("node.kubernetes.io/out-of-service")] } }, []],
    [
      "a taint of the cloud",
      { spec: { taints: [taint("node.cloudprovider.kubernetes.io/x")] } },
      ["spec.taints[0].key"],
    ],
    ["an old taint", { spec: { taints: [taint("node-role.kubernetes.io/master")] } }, ["spec.taints[0].key"]],
    [
      "the control plane's",
      { spec: { taints: [taint("node-role.kubernetes.io/control-plane")] } },
      ["spec.taints[0].key"],
    ],
    [
      "the control plane's on a control plane",
      {
        metadata: { labels: { [Label.controlPlane]: "" } },
        spec: { taints: [taint("node-role.kubernetes.io/control-plane")] },
      },
      [],
    ],
  ])("%s", (_, parts, expected) => expect(fields(validateMachine(machine(parts), machine()))).toEqual(expected));
});

/** Complete as admission sees it, which is after the defaults. */
const labels = { app: "web" };
type Template = MachineSet["spec"]["template"];
const template = (spec: Partial<Template["spec"]> = {}, metadata: Template["metadata"] = { labels }): Template => ({
  ...machineSet().spec.template,
  metadata,
  spec: { ...machineSet().spec.template.spec, ...spec },
});
const selector = { matchLabels: labels };
const skip = (value: string) => ({ annotations: { [Annotation.skipPreflightChecks]: value } });

describe("validateMachineSet and validateMachineDeployment", () => {
  type Parts = { metadata?: object; spec?: Partial<MachineSet["spec"]> };
  it.each<[string, Parts, readonly string[]]>([
    ["a complete one", {}, []],
    ["no selector", { spec: { selector: {} } }, ["spec.selector"]],
    [
      "a selector that cannot be read",
      { spec: { selector: { matchExpressions: [{ key: "a", operator: "Like" }] } } },
      ["spec.selector.matchExpressions[0].operator"],
    ],
    [
      "a selector for others",
      { spec: { selector: { matchLabels: { app: "db" } } } },
      ["spec.template.metadata.labels"],
    ],
    ["two clusters", { spec: { template: template({ clusterName: "other" }) } }, ["spec.clusterName"]],
    [
      "another cluster",
      { spec: { clusterName: "other", template: template({ clusterName: "other" }) } },
      ["spec.clusterName"],
    ],
    ["no bootstrap", { spec: { template: template({ bootstrap: {} }) } }, ["spec.template.spec.bootstrap"]],
    ["no version", { spec: { template: template({ version: "new" }) } }, ["spec.template.spec.version"]],
    [
      "the control plane's taint",
      {
        spec: {
          template: template({
            taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule", propagation: "Always" }],
          }),
        },
      },
      ["spec.template.spec.taints[0].key"],
    ],
    ["names by rule", { spec: { machineNaming: { template: "web-{{ .random }}" } } }, []],
    ["names that do not differ", { spec: { machineNaming: { template: "web" } } }, ["spec.machineNaming.template"]],
    [
      "names that are none",
      { spec: { machineNaming: { template: "Web_{{ .random }}" } } },
      ["spec.machineNaming.template"],
    ],
    [
      "names of what is unknown",
      { spec: { machineNaming: { template: "{{ .x }}{{ .random }}" } } },
      ["spec.machineNaming.template"],
    ],
    ["checks to skip", { metadata: skip("KubernetesVersionSkew, ControlPlaneIsStable") }, []],
    [
      "a check that does not exist",
      { metadata: skip("All,Never") },
      [`metadata.annotations.${Annotation.skipPreflightChecks}`],
    ],
    [
      "labels that are none",
      { spec: { template: template({}, { labels: { ...labels, "a b": "c", d: "-" } }) } },
      ["spec.template.metadata.labels", "spec.template.metadata.labels[d]"],
    ],
    [
      "annotations that are none",
      { spec: { template: template({}, { labels, annotations: { "a b": "anything goes here" } }) } },
      ["spec.template.metadata.annotations"],
    ],
    [
      "annotations too long",
      { spec: { template: template({}, { labels, annotations: { a: "x".repeat(262_145) } }) } },
      ["spec.template.metadata.annotations"],
    ],
  ])("%s", (_, { metadata = {}, spec = {} }, expected) => {
    const parts = { selector, template: template() };
    const set = machineSet({ metadata, spec: { ...parts, ...spec } });
    expect(fields(validateMachineSet(set, machineSet({ spec: parts })))).toEqual(expected);
    const deployment = machineDeployment({ metadata, spec: { ...parts, ...spec } });
    expect(fields(validateMachineDeployment(deployment, machineDeployment({ spec: parts })))).toEqual(expected);
  });

  it.each<[string, object, readonly string[]]>([
    ["nothing said", {}, []],
    ["numbers", { maxSurge: 1, maxUnavailable: 0 }, []],
    ["percentages", { maxSurge: "25%", maxUnavailable: "0%" }, []],
    ["a negative number", { maxSurge: -1 }, ["spec.rollout.strategy.rollingUpdate.maxSurge"]],
    ["no percentage", { maxUnavailable: "some" }, ["spec.rollout.strategy.rollingUpdate.maxUnavailable"]],
    ["no step possible", { maxSurge: 0, maxUnavailable: "0%" }, ["spec.rollout.strategy.rollingUpdate"]],
  ])("a pace of %s", (_, rollingUpdate, expected) => {
    const rollout = { strategy: { type: "RollingUpdate", rollingUpdate } } as const;
    const given = machineDeployment({ spec: { selector, template: template(), rollout } });
    expect(fields(validateMachineDeployment(given, undefined))).toEqual(expected);
  });

  it("wants a name that fits into a label, and a limit that is one", () => {
    const given = machineDeployment({
      metadata: { name: long },
      spec: { selector, template: template(), remediation: { maxInFlight: "x" } },
    });
    expect(fields(validateMachineDeployment(given, undefined))).toEqual([
      "metadata.name",
      "spec.remediation.maxInFlight",
    ]);
  });
});

describe("validateMachineHealthCheck", () => {
  type Spec = MachineHealthCheck["spec"];
  const trigger = (triggerIf: NonNullable<NonNullable<Spec["remediation"]>["triggerIf"]>) => ({
    remediation: { triggerIf },
  });
  it.each<[string, Partial<Spec>, readonly string[]]>([
    ["a complete one", {}, []],
    ["no selector", { selector: {} }, ["spec.selector"]],
    ["its cluster in the selector", { selector: { matchLabels: { [Label.clusterName]: "prod" } } }, []],
    [
      "another cluster in the selector",
      { selector: { matchLabels: { [Label.clusterName]: "other" } } },
      ["spec.selector"],
    ],
    ["another cluster", { clusterName: "other" }, ["spec.clusterName"]],
    ["no limit to the start", { checks: { nodeStartupTimeoutSeconds: 0 } }, []],
    ["the shortest one", { checks: { nodeStartupTimeoutSeconds: 30 } }, []],
    ["one too short", { checks: { nodeStartupTimeoutSeconds: 29 } }, ["spec.checks.nodeStartupTimeoutSeconds"]],
    ["a range", trigger({ unhealthyInRange: "[0-3]" }), []],
    [
      "a range the wrong way round",
      trigger({ unhealthyInRange: "[3-1]" }),
      ["spec.remediation.triggerIf.unhealthyInRange"],
    ],
    ["a percentage", trigger({ unhealthyLessThanOrEqualTo: "40%" }), []],
    [
      "no number",
      trigger({ unhealthyLessThanOrEqualTo: "some" }),
      ["spec.remediation.triggerIf.unhealthyLessThanOrEqualTo"],
    ],
  ])("%s", (_, spec, expected) => {
    expect(fields(validateMachineHealthCheck(healthCheck(spec), healthCheck()))).toEqual(expected);
  });
});

describe("validateMachineDrainRule", () => {
  const broken = { matchExpressions: [{ key: "a", operator: "In" }] };
  it.each<[string, Partial<MachineDrainRule["spec"]>, readonly string[]]>([
    ["an order", { drain: { behavior: "Drain", order: 1 } }, []],
    ["an order to skip", { drain: { behavior: "Skip", order: 1 } }, ["spec.drain.order"]],
    ["an order to wait", { drain: { behavior: "WaitCompleted", order: 0 } }, ["spec.drain.order"]],
    [
      "broken selectors",
      {
        machines: [{}, { selector: broken, clusterSelector: broken }],
        pods: [{ selector: { matchLabels: { "a b": "" } } }, { namespaceSelector: broken }],
      },
      [
        "spec.machines[1].selector.matchExpressions[0].values",
        "spec.machines[1].clusterSelector.matchExpressions[0].values",
        "spec.pods[0].selector.matchLabels",
        "spec.pods[1].namespaceSelector.matchExpressions[0].values",
      ],
    ],
  ])("%s", (_, spec, expected) => expect(fields(validateMachineDrainRule(drainRule("r", spec)))).toEqual(expected));
});

describe("validateCluster", () => {
  const { infrastructureRef } = cluster().spec;
  type Parts = Parameters<typeof cluster>[0];
  const topology = { classRef: { name: "small" }, version: "v1.33.4" };
  const without = (field: "infrastructureRef" | "controlPlaneRef" | "topology") => {
    const { [field]: _, ...spec } = { controlPlaneRef: infrastructureRef, topology, ...cluster().spec };
    return { ...cluster(), spec };
  };
  it.each<[string, Parts, readonly string[]]>([
    ["a complete one", {}, []],
    ["a name too long", { metadata: { name: long } }, ["metadata.name"]],
    ["half a version", { spec: { topology: { ...topology, version: "v1.33" } } }, ["spec.topology.version"]],
    ["ranges", { spec: network(["10.0.0.0/8", "fd00::/64"]) }, []],
    [
      "no ranges",
      { spec: network(["10.0.0.0/33", "10.0.0.0"]) },
      ["spec.clusterNetwork.pods.cidrBlocks[0]", "spec.clusterNetwork.pods.cidrBlocks[1]"],
    ],
  ])("%s", (_, parts, expected) => expect(fields(validateCluster(cluster(parts), undefined))).toEqual(expected));

  it("wants somebody to make it", () => {
    expect(fields(validateCluster({ ...cluster(), spec: { paused: true } }, undefined))).toEqual(["spec"]);
  });

  it.each(["infrastructureRef", "controlPlaneRef", "topology"] as const)("keeps %s once it is there", (field) => {
    const old = cluster({ spec: { controlPlaneRef: { apiGroup: "g", kind: "K", name: "n" }, topology } });
    expect(fields(validateCluster(without(field), old))).toEqual([`spec.${field}`]);
    expect(fields(validateCluster(old, without(field)))).toEqual([]);
  });
});

describe("validateMachinePool", () => {
  it.each<[string, Parameters<typeof machinePool>, readonly string[]]>([
    ["a complete one", [], []],
    ["another cluster", [{ spec: { clusterName: "other" } }], ["spec.clusterName", "spec.clusterName"]],
    ["half a version", [{}, { version: "v1.33" }], ["spec.template.spec.version"]],
    ["no bootstrap", [{}, { bootstrap: {} }], ["spec.template.spec.bootstrap"]],
    ["a taint", [{}, { taints: [taint("team/a")] }], ["spec.template.spec.taints"]],
    [
      "labels that are none",
      [{ spec: { template: { ...machinePool().spec.template, metadata: { labels: { "-": "x" } } } } }],
      ["spec.template.metadata.labels"],
    ],
  ])("%s", (_, parts, expected) =>
    expect(fields(validateMachinePool(machinePool(...parts), machinePool()))).toEqual(expected),
  );
});

describe("validateIPAddress and validateIPAddressClaim", () => {
  it.each<[string, Parameters<typeof ipAddress>[0], readonly string[]]>([
    ["an IPv4 address", { gateway: "10.0.0.1", prefix: 32 }, []],
    ["an IPv6 address", { address: "2001:db8::7", gateway: "2001:db8::1", prefix: 128 }, []],
    ["no address", { address: "10.0.0.256" }, ["spec.address"]],
    ["a network", { address: "10.0.0.0/24" }, ["spec.address"]],
    ["a prefix too long for its family", { prefix: 33 }, ["spec.prefix"]],
    ["no gateway", { gateway: "router" }, ["spec.gateway"]],
  ])("%s", (_, spec, expected) => expect(fields(validateIPAddress(ipAddress(spec), undefined))).toEqual(expected));

  it("stay as they are", () => {
    expect(fields(validateIPAddress(ipAddress({ prefix: 25 }), ipAddress()))).toEqual(["spec"]);
    expect(fields(validateIPAddress(ipAddress(), ipAddress()))).toEqual([]);
    const named = ipAddressClaim({ clusterName: "prod" });
    expect(fields(validateIPAddressClaim(named, ipAddressClaim()))).toEqual(["spec"]);
    expect(fields(validateIPAddressClaim(named, undefined))).toEqual([]);
  });
});

describe("isCidr", () => {
  it.each([
    ["10.0.0.0/16", true],
    ["10.0.0.5/0", true],
    ["2001:db8::/32", true],
    ["::/128", true],
    ["10.0.0.0/016", false],
    ["10.0.0.0/-1", false],
    ["10.0.0/16", false],
    ["2001:db8::/129", false],
    ["fe80::1%eth0/64", false],
    ["10.0.0.0/16/8", false],
    ["", false],
  ])("%s: %s", (text, expected) => expect(isCidr(text)).toBe(expected));
});
