import { Annotation, Group, Label } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { at, machineDeployment, machineSet, ms } from "../../test/objects.ts";
import type { MachineSet } from "../api.ts";
import { resolveIntOrPercent, rolloutBounds } from "@capstan/kube-values";
import { identityOf, machineSetBody, newSetIdentity } from "./machine-set-body.ts";
import { machineDeploymentPhase } from "./phase.ts";
import { nextRevision } from "../rollout/revision.ts";
import { rolloutHistoryAnnotation } from "./rollout-history.ts";
import { currentMachineSet, replacementReasons } from "../rollout/template-match.ts";

const set = (name: string, spec: Partial<MachineSet["spec"]> = {}, created = 0, version = "v1.33.4"): MachineSet =>
  machineSet({ metadata: { name, creationTimestamp: at(created) }, spec }, { version });

describe("replacementReasons", () => {
  const base = machineSet().spec.template.spec;
  const reference = { apiGroup: Group.bootstrap, kind: "TestConfigTemplate", name: "t" };
  it.each<[string, Partial<typeof base>, readonly string[]]>([
    ["nothing", {}, []],
    [
      "timeouts, gates, taints and readiness, which change in place",
      {
        minReadySeconds: 5,
        deletion: { nodeDrainTimeoutSeconds: 1 },
        readinessGates: [{ conditionType: "X" }],
        taints: [{ key: "k", effect: "NoSchedule", propagation: "Always" }],
      },
      [],
    ],
    ["the cluster's name and the provider id", { clusterName: "other", providerID: "x://1" }, []],
    ["the version", { version: "v1.34.0" }, ["Version v1.33.4, v1.34.0 required"]],
    [
      "the bootstrap template",
      { bootstrap: { configRef: { ...reference, name: "t2" } } },
      ["TestConfigTemplate t, TestConfigTemplate t2 required"],
    ],
    ["the secret beside a bootstrap template", { bootstrap: { configRef: reference, dataSecretName: "s" } }, []],
    [
      "bootstrap data instead of a template",
      { bootstrap: { dataSecretName: "s" } },
      ["spec.bootstrap.configRef was added or removed"],
    ],
    [
      "the infrastructure template",
      { infrastructureRef: { apiGroup: Group.infrastructure, kind: "TestMachineTemplate", name: "t2" } },
      ["TestMachineTemplate t, TestMachineTemplate t2 required"],
    ],
    ["the failure domain", { failureDomain: "b" }, ["Failure domain (unset), b required"]],
  ])("for a change of %s", (_, change, expected) => {
    expect(replacementReasons(base, { ...base, ...change })).toEqual(expected);
  });
});

describe("currentMachineSet", () => {
  const old = set("old", {}, 0, "v1.32.0");
  it.each<[string, readonly MachineSet[], string | undefined]>([
    ["none", [], undefined],
    ["only other templates", [old], undefined],
    ["one that is equal", [old, set("a")], "a"],
    ["the one with most replicas", [set("a", { replicas: 1 }, 1), set("b", { replicas: 2 }, 2)], "b"],
    ["the oldest of equal ones", [set("b", {}, 2), set("a", {}, 1)], "a"],
    ["the first by name of twins", [set("b"), set("a")], "a"],
  ])("finds %s", (_, sets, name) => {
    expect(currentMachineSet(machineDeployment(), sets, ms(0))?.metadata.name).toBe(name);
  });

  const rollout = machineDeployment({ spec: { rollout: { after: at(100) } } });
  it.each<[string, number, readonly MachineSet[], string | undefined]>([
    ["before the time, any equal set", 99, [set("a", {}, 0)], "a"],
    ["after the time, no set from before it", 101, [set("a", {}, 0)], undefined],
    ["after the time, a set from that very second", 101, [set("a", {}, 0), set("b", {}, 100)], "b"],
  ])("obeys rollout.after: %s", (_, now, sets, name) => {
    expect(currentMachineSet(rollout, sets, ms(now))?.metadata.name).toBe(name);
  });
});

describe("machineSetBody", () => {
  const random = { next: () => 0, bytes: (length: number) => new Uint8Array(length) };
  it("names a new set and labels it with the hash of its template, both with the same suffix", () => {
    const identity = newSetIdentity(machineDeployment(), random);
    expect(identity.name).toBe("md-bbbbb");
    expect(identity.templateHash).toMatch(/^\d+-bbbbb$/);
    const long = newSetIdentity(machineDeployment({ metadata: { name: "m".repeat(70) } }), random);
    expect(long.name).toHaveLength(63);
  });

  it("hands down labels, the annotations that are not its own, sizes and revision", () => {
    const deployment = machineDeployment({
      metadata: {
        annotations: {
          team: "a",
          [Annotation.revision]: "7",
          [Annotation.lastApplied]: "{}",
          [rolloutHistoryAnnotation]: "[]",
        },
      },
      spec: { rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "50%", maxUnavailable: 0 } } } },
    });
    const identity = { name: "md-abcde", templateHash: "1-abcde" };
    const body = machineSetBody({ deployment, identity, existing: undefined, replicas: 2, revision: 8, closed: false });
    expect(body.metadata.annotations).toEqual({
      team: "a",
      [Annotation.revision]: "8",
      [Annotation.disableMachineCreate]: "false",
      [Annotation.desiredReplicas]: "3",
      [Annotation.maxReplicas]: "5",
    });
    const ofMachines = { [Label.machineTemplateHash]: "1-abcde", [Label.clusterName]: "prod" };
    expect(body.metadata.labels).toEqual({ ...ofMachines, [Label.deploymentName]: "md" });
    expect(body["spec"]).toMatchObject({
      replicas: 2,
      selector: { matchLabels: { [Label.deploymentName]: "md", [Label.machineTemplateHash]: "1-abcde" } },
      template: { metadata: { labels: ofMachines } },
    });
  });

  it("leaves alone what a set is made from, and brings the rest to it", () => {
    const existing = machineSet({ spec: { selector: { matchLabels: { app: "old" } } } }, { version: "v1.32.0" });
    const body = machineSetBody({
      deployment: machineDeployment(
        { spec: { deletion: { order: "Oldest" } } },
        { version: "v1.34.0", minReadySeconds: 5, failureDomain: "b" },
      ),
      identity: identityOf(existing),
      existing,
      replicas: 1,
      revision: 0,
      closed: true,
    });
    expect(body.metadata.uid).toBe(existing.metadata.uid);
    expect(body.metadata.annotations).toEqual({
      [Annotation.desiredReplicas]: "3",
      [Annotation.maxReplicas]: "3",
      [Annotation.disableMachineCreate]: "true",
    });
    const { version, bootstrap, infrastructureRef, clusterName } = existing.spec.template.spec;
    expect(body["spec"]).toMatchObject({
      replicas: 1,
      selector: { matchLabels: { app: "old" } },
      deletion: { order: "Oldest" },
      template: { spec: { version, bootstrap, infrastructureRef, clusterName, minReadySeconds: 5 } },
    });
    expect(JSON.stringify(body)).not.toContain("failureDomain");
  });
});

it("keeps the revisions that a set had before", () => {
  const deployment = machineDeployment();
  const identity = { name: "md-x", templateHash: "x", uid: "uid" };
  const of = (annotations: Readonly<Record<string, string>>, revision: number): unknown =>
    machineSetBody({
      deployment,
      identity,
      existing: machineSet({ metadata: { annotations } }),
      replicas: 1,
      revision,
      closed: false,
    }).metadata.annotations?.[Annotation.revisionHistory];
  expect(of({ [Annotation.revision]: "1" }, 1)).toBeUndefined();
  expect(of({ [Annotation.revision]: "1" }, 3)).toBe("1");
  expect(of({ [Annotation.revision]: "3", [Annotation.revisionHistory]: "1" }, 3)).toBe("1");
  expect(of({ [Annotation.revision]: "3", [Annotation.revisionHistory]: "1" }, 5)).toBe("1,3");
});

const revised = (revision?: string) =>
  machineSet({ metadata: { annotations: revision === undefined ? {} : { [Annotation.revision]: revision } } });

describe("nextRevision", () => {
  it.each([
    [undefined, [], 1],
    [undefined, ["3", "1"], 4],
    ["2", ["3"], 4],
    ["9", ["3"], 9],
    ["what", ["3"], 4],
  ])("of a set at %s beside %j", (current, others, expected) => {
    const mine = current === undefined ? undefined : revised(current);
    expect(
      nextRevision(
        mine,
        others.map((revision) => revised(revision)),
      ),
    ).toBe(expected);
  });
});

describe("rolloutBounds", () => {
  it.each([
    ["30%", 10, "up", 3],
    ["25%", 3, "up", 1],
    ["25%", 3, "down", 0],
    [2, 10, "up", 2],
    [undefined, 10, "up", 0],
    ["much", 10, "up", 0],
  ] as const)("%s of %s rounded %s", (value, total, rounding, expected) => {
    expect(resolveIntOrPercent(value, total, rounding)).toBe(expected);
  });

  it("lets one replica be missing when nothing else could move", () => {
    expect(rolloutBounds({ maxSurge: 0, maxUnavailable: "10%" }, 3)).toEqual({ maxSurge: 0, maxUnavailable: 1 });
  });
});

const sets = (...replicas: readonly number[]) => replicas.map((count) => machineSet({ status: { replicas: count } }));

describe("machineDeploymentPhase", () => {
  it.each([
    ["unknown sets", machineDeployment(), undefined, "Unknown"],
    ["too few", machineDeployment(), sets(1, 1), "ScalingUp"],
    ["too many", machineDeployment(), sets(3, 1), "ScalingDown"],
    ["all", machineDeployment(), sets(2, 1), "Running"],
    ["deletion", machineDeployment({ metadata: { deletionTimestamp: at(1) } }), sets(3), "ScalingDown"],
  ])("with %s", (_, deployment, present, phase) => {
    expect(machineDeploymentPhase(deployment, present)).toBe(phase);
  });
});
