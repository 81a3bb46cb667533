import { Annotation, Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { cluster, machine, machineSet } from "../../test/objects.ts";
import type { Machine, MachineSet } from "../api.ts";
import { preflightFailures } from "./preflight.ts";

const controlPlaneRef = { apiGroup: Group.controlPlane, kind: "TestControlPlane", name: "prod" };

const controlPlane = (version: string | undefined, status: object = { versions: [{ version, replicas: 3 }] }) => ({
  contract: "v1beta2" as const,
  object: {
    apiVersion: `${Group.controlPlane}/v1`,
    kind: "TestControlPlane",
    metadata: { name: "prod", namespace: "default" },
    spec: { replicas: 3, ...(version === undefined ? {} : { version }) },
    status,
  } as KubeObject,
});

const set = (version: string | undefined, skip?: string): MachineSet => {
  const { template, ...spec } = machineSet().spec;
  const { version: _, ...rest } = template.spec;
  return machineSet({
    metadata: skip === undefined ? {} : { annotations: { [Annotation.skipPreflightChecks]: skip } },
    spec: { ...spec, template: { spec: { ...rest, ...(version === undefined ? {} : { version }) } } },
  });
};

const kubeadm = (version: string): MachineSet => {
  const given = set(version);
  const configRef = { apiGroup: Group.bootstrap, kind: "KubeadmConfigTemplate", name: "t" };
  const spec = { ...given.spec.template.spec, bootstrap: { configRef } };
  return { ...given, spec: { ...given.spec, template: { spec } } };
};

const topology = (version: string) =>
  cluster({ spec: { controlPlaneRef, topology: { classRef: { name: "class" }, version } } });

const plain = cluster({ spec: { controlPlaneRef } });

const check = (
  given: MachineSet,
  plane: ReturnType<typeof controlPlane> | undefined,
  of = plain,
  bootstrapTemplate?: KubeObject,
  controlPlaneMachines: readonly Machine[] = [],
): readonly string[] =>
  preflightFailures({ cluster: of, set: given, controlPlane: plane, controlPlaneMachines, bootstrapTemplate }).map(
    ({ message }) => message,
  );

/** Control-plane Machines of a Cluster without a control plane object, by their versions. */
const besideMachines = (given: MachineSet, ...versions: readonly (string | undefined)[]): readonly string[] => {
  const machines = versions.map((version, index) => {
    const { spec, ...rest } = machine({ metadata: { name: `cp-${index}` } });
    const { version: _, ...others } = spec;
    return { ...rest, spec: { ...others, ...(version === undefined ? {} : { version }) } };
  });
  return check(given, undefined, cluster(), undefined, machines);
};

const upgrading = {
  versions: [
    { version: "v1.32.0", replicas: 1 },
    { version: "v1.33.0", replicas: 2 },
  ],
};

describe("preflightFailures", () => {
  it.each<[string, readonly string[], readonly RegExp[]]>([
    ["no control plane object is used", check(set("v1.33.0"), undefined, cluster()), []],
    [
      "the control plane does not exist",
      check(set("v1.33.0"), undefined),
      [/TestControlPlane default\/prod does not exist/],
    ],
    ["it has no version", check(set("v1.33.0"), controlPlane(undefined, {})), []],
    ["all is well", check(set("v1.33.0"), controlPlane("v1.33.0")), []],
    ["the set has no version", check(set(undefined), controlPlane("v1.33.0")), []],
    [
      "it is provisioning",
      check(set("v1.33.0"), controlPlane("v1.33.0", {})),
      [/^TestControlPlane default\/prod is provisioning \("ControlPlaneIsStable" preflight check failed\)$/],
    ],
    [
      "only its older field tells the version",
      check(set("v1.33.0"), controlPlane("v1.33.0", { version: "v1.33.0" })),
      [],
    ],
    ["it is upgrading", check(set("v1.33.0"), controlPlane("v1.33.0", upgrading)), [/is upgrading/]],
    [
      "an upgrade of its topology is pending",
      check(set("v1.33.0"), controlPlane("v1.33.0"), topology("v1.34.0")),
      [/has a pending version upgrade to v1\.34\.0/],
    ],
    [
      "the set is newer",
      check(set("v1.34.0"), controlPlane("v1.33.0")),
      [/version \(1\.34\.0\).*higher.*\("KubernetesVersionSkew" preflight check failed\)/],
    ],
    ["the set is three minor versions older", check(set("v1.30.9"), controlPlane("v1.33.0")), []],
    [
      "the set is four minor versions older",
      check(set("v1.29.0"), controlPlane("v1.33.0")),
      [/more than 3 minor versions older/],
    ],
    ["the control plane's minor version is below three", check(set("v1.0.0"), controlPlane("v1.2.0")), []],
    ["kubeadm joins its own minor version", check(kubeadm("v1.33.9"), controlPlane("v1.33.0")), []],
    ["kubeadm would join another one", check(kubeadm("v1.32.0"), controlPlane("v1.33.0")), [/"KubeadmVersionSkew"/]],
    [
      "the topology has not passed its version on",
      check(set("v1.32.0"), controlPlane("v1.33.0"), topology("v1.33.0")),
      [/not yet the same as the ControlPlane version \(v1\.33\.0\).*"ControlPlaneVersionSkew"/],
    ],
    [
      "several fail",
      check(kubeadm("v1.34.0"), controlPlane("v1.33.0", {})),
      [/ControlPlaneIsStable/, /KubernetesVersionSkew/, /KubeadmVersionSkew/],
    ],
  ])("says so when %s", (_, failures, expected) => {
    expect(failures).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(failures[index]).toMatch(pattern);
  });

  it.each<[string, readonly string[], readonly RegExp[]]>([
    ["all have the set's version", besideMachines(set("v1.34.1"), "v1.34.1", "v1.34.3"), []],
    ["the set has no version", besideMachines(set(undefined), "v1.34.1"), []],
    ["they have no versions", besideMachines(set("v1.35.0"), undefined, undefined), []],
    ["they have versions that are none", besideMachines(set("v1.35.0"), "latest"), []],
    [
      "the set is newer",
      besideMachines(set("v1.35.0"), "v1.34.1"),
      [
        /^MachineSet version \(1\.35\.0\) and ControlPlane version \(1\.34\.1, of Machine cp-0\) .* is higher .*\("KubernetesVersionSkew" preflight check failed\)$/,
      ],
    ],
    [
      "the set is newer than one of them",
      besideMachines(set("v1.35.0"), "v1.35.1", "v1.34.1"),
      [/1\.34\.1, of Machine cp-1\) .* is higher/],
    ],
    [
      "the set is too old for one of them",
      besideMachines(set("v1.31.0"), "v1.34.1", "v1.35.0"),
      [/1\.35\.0, of Machine cp-1\) .* more than 3 minor versions older/],
    ],
    ["kubeadm would join another minor version", besideMachines(kubeadm("v1.33.0"), "v1.34.1"), [/KubeadmVersionSkew/]],
    ["both say no", besideMachines(kubeadm("v1.35.0"), "v1.34.1"), [/"KubernetesVersionSkew"/, /"KubeadmVersionSkew"/]],
    ["an annotation allows it", besideMachines(set("v1.35.0", "KubernetesVersionSkew"), "v1.34.1"), []],
  ])("compares with single Machines when %s", (_, failures, expected) => {
    expect(failures).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(failures[index]).toMatch(pattern);
  });

  it.each([
    ["All", 0],
    ["other, KubernetesVersionSkew", 1],
    ["KubernetesVersionSkew,ControlPlaneIsStable", 0],
    ["", 2],
  ])("leaves out what the annotation %j names", (skip, left) => {
    const plane = controlPlane("v1.33.0", {});
    expect(check(set("v1.34.0", skip), plane)).toHaveLength(left);
    const template: KubeObject = {
      apiVersion: `${Group.bootstrap}/v1`,
      kind: "TestConfigTemplate",
      metadata: { name: "t", annotations: { [Annotation.skipPreflightChecks]: skip } },
    };
    expect(check(set("v1.34.0"), plane, plain, template)).toHaveLength(left);
  });

  it("says so when the set's version is none", () => {
    expect(check(set("new"), controlPlane("v1.33.0"))).toEqual([
      'MachineSet version (new) cannot be read: spec.template.spec.version must be such as v1.33.4 ("KubernetesVersionSkew" preflight check failed)',
    ]);
  });

  it.each(["v1.33.0", undefined])(
    "says so when the control plane's version is none, and the set's is %s",
    (version) => {
      expect(check(set(version, "ControlPlaneIsStable"), controlPlane("latest"))).toEqual([
        'ControlPlane version (latest) cannot be read ("KubernetesVersionSkew" preflight check failed)',
      ]);
    },
  );

  it("throws for a version that is none", () => {
    expect(() => check(set("v1.33.0"), controlPlane("latest"))).toThrow("is not a semantic version");
  });
});
