import { describe, expect, it } from "vitest";
import type { KubeadmControlPlane, KubeadmControlPlaneTemplate } from "../api.ts";
import { defaultControlPlane } from "./defaults.ts";
import { validateControlPlane, validateTemplate } from "./rules.ts";

type Spec = KubeadmControlPlane["spec"];

const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "ThingTemplate", name: "t" };
const controlPlane = (spec: Partial<Spec> = {}): KubeadmControlPlane => ({
  apiVersion: "controlplane.cluster.x-k8s.io/v1beta2",
  kind: "KubeadmControlPlane",
  metadata: { name: "cp", namespace: "default" },
  spec: { replicas: 3, version: "v1.34.1", machineTemplate: { spec: { infrastructureRef } }, ...spec },
});
const config = (kubeadmConfigSpec: NonNullable<Spec["kubeadmConfigSpec"]>): Partial<Spec> => ({ kubeadmConfigSpec });
const cluster = (
  clusterConfiguration: NonNullable<NonNullable<Spec["kubeadmConfigSpec"]>["clusterConfiguration"]>,
): Partial<Spec> => config({ clusterConfiguration });
const external = { endpoints: ["https://192.0.2.1:2379"], caFile: "/ca", certFile: "/crt", keyFile: "/key" };
const surge = (maxSurge: number | string): Partial<Spec> => ({
  rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge } } },
});
const expiry = (certificatesExpiryDays: number): Partial<Spec> => ({ rollout: { before: { certificatesExpiryDays } } });
const fields = (causes: readonly { readonly field: string }[]): readonly string[] => causes.map(({ field }) => field);
const inConfig = "spec.kubeadmConfigSpec";

describe("defaults", () => {
  it("fill in replicas, the prefix of the version and the strategy, and nothing a second time", () => {
    const { replicas: _, ...spec } = controlPlane({ version: "1.34.1" }).spec;
    const once = defaultControlPlane({ ...controlPlane(), spec });
    expect(once.spec).toMatchObject({
      replicas: 1,
      version: "v1.34.1",
      rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
    });
    expect(defaultControlPlane(once)).toBe(once);
  });

  it("keep a surge of 0", () => {
    expect(defaultControlPlane(controlPlane(surge(0))).spec.rollout).toEqual(surge(0).rollout);
  });

  it("leave what has no version to the schema", () => {
    const broken = { ...controlPlane(), spec: {} } as unknown as KubeadmControlPlane;
    expect(defaultControlPlane(broken)).toBe(broken);
  });
});

describe("a control plane", () => {
  it.each<[string, Partial<Spec>, readonly string[]]>([
    ["of three", {}, []],
    ["of none", { replicas: 0 }, ["spec.replicas"]],
    ["of two", { replicas: 2 }, ["spec.replicas"]],
    ["of two with an external etcd", { replicas: 2, ...cluster({ etcd: { external } }) }, []],
    ["of no version", { version: "v1.34" }, ["spec.version"]],
    ["with a surge of 0", surge(0), []],
    [
      "with a surge of 0 and one Machine",
      { replicas: 1, ...surge(0) },
      ["spec.rollout.strategy.rollingUpdate.maxSurge"],
    ],
    ["with a surge of 2", surge(2), ["spec.rollout.strategy.rollingUpdate.maxSurge"]],
    ["with a surge in percent", surge("25%"), ["spec.rollout.strategy.rollingUpdate.maxSurge"]],
    ["ahead of the end of certificates", expiry(30), []],
    [
      "ahead of the end of certificates that last longer",
      { ...expiry(30), ...cluster({ certificateValidityPeriodDays: 31 }) },
      [],
    ],
    [
      "ahead of the end of certificates that last no longer",
      { ...expiry(30), ...cluster({ certificateValidityPeriodDays: 30 }) },
      ["spec.rollout.before.certificatesExpiryDays"],
    ],
    [
      "with certificates that outlive their authority",
      cluster({ certificateValidityPeriodDays: 31, caCertificateValidityPeriodDays: 30 }),
      [`${inConfig}.clusterConfiguration.certificateValidityPeriodDays`],
    ],
    ["with equal names", { machineNaming: { template: "cp" } }, ["spec.machineNaming.template"]],
    ["with names of its own", { machineNaming: { template: "{{ .cluster.name }}-{{ .random }}" } }, []],
    [
      "with both kinds of etcd",
      cluster({ etcd: { external, local: { dataDir: "/var/lib/etcd" } } }),
      [`${inConfig}.clusterConfiguration.etcd.local`],
    ],
    ["with no tag", cluster({ dns: { imageTag: "a:b" } }), [`${inConfig}.clusterConfiguration.dns.imageTag`]],
    ["with no version", cluster({ dns: { imageTag: "new" } }), [`${inConfig}.clusterConfiguration.dns.imageTag`]],
    ["with ignition", config({ format: "ignition" }), []],
    [
      "with boot commands for ignition",
      config({ format: "ignition", bootCommands: ["a"] }),
      [`${inConfig}.bootCommands`],
    ],
    [
      "with one path twice",
      config({
        files: [
          { path: "/a", content: "x" },
          { path: "/a", content: "y" },
        ],
      }),
      [`${inConfig}.files[1].path`],
    ],
    [
      "with timeouts that differ",
      config({ initConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 9 } } }),
      ["initConfiguration", "joinConfiguration"].map(
        (name) => `${inConfig}.${name}.timeouts.controlPlaneComponentHealthCheckSeconds`,
      ),
    ],
    [
      "with labels that are none",
      { machineTemplate: { metadata: { labels: { a: "b c" } }, spec: { infrastructureRef } } },
      ["spec.machineTemplate.metadata.labels[a]"],
    ],
    [
      "with the control plane's taint",
      {
        machineTemplate: {
          spec: {
            infrastructureRef,
            taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule", propagation: "Always" }],
          },
        },
      },
      [],
    ],
  ])("%s", (_, spec, expected) =>
    expect(fields(validateControlPlane(controlPlane(spec), undefined))).toEqual(expected),
  );

  it.each<[string, Partial<Spec>, Partial<Spec>, readonly string[]]>([
    ["its next version", {}, { version: "v1.35.0" }, []],
    ["an older version", {}, { version: "v1.33.0" }, []],
    ["the version after that", {}, { version: "v1.36.0" }, ["spec.version"]],
    ["its size", {}, { replicas: 5 }, []],
    [
      "where certificates are",
      cluster({ certificatesDir: "/a" }),
      cluster({ certificatesDir: "/b" }),
      [`${inConfig}.clusterConfiguration.certificatesDir`],
    ],
    [
      "its etcd",
      cluster({ etcd: { external } }),
      cluster({ imageRepository: "registry.example" }),
      [`${inConfig}.clusterConfiguration.etcd.external`],
    ],
    ["CoreDNS", cluster({ dns: { imageTag: "v1.11.1" } }), cluster({ dns: { imageTag: "v1.12.0" } }), []],
    [
      "CoreDNS, to an older one",
      cluster({ dns: { imageTag: "v1.12.0" } }),
      cluster({ dns: { imageTag: "v1.11.1" } }),
      [`${inConfig}.clusterConfiguration.dns.imageTag`],
    ],
    [
      "CoreDNS, whose Corefile is too old",
      cluster({ dns: { imageTag: "1.1.2" } }),
      cluster({ dns: { imageTag: "v1.11.1" } }),
      [`${inConfig}.clusterConfiguration.dns.imageTag`],
    ],
    [
      "all of how it begins",
      config({ initConfiguration: { skipPhases: ["addon"] } }),
      config({ verbosity: 2 }),
      [`${inConfig}.initConfiguration`],
    ],
    [
      "arguments of the API server",
      cluster({ imageRepository: "registry.example" }),
      cluster({ apiServer: { extraArgs: [{ name: "v", value: "2" }] } }),
      [],
    ],
  ])("that changes %s", (_, before, after, expected) =>
    expect(fields(validateControlPlane(controlPlane(after), controlPlane(before)))).toEqual(expected),
  );
});

describe("a template", () => {
  const template = (verbosity: number): KubeadmControlPlaneTemplate => ({
    ...controlPlane(),
    kind: "KubeadmControlPlaneTemplate",
    spec: { template: { spec: { kubeadmConfigSpec: { verbosity } } } },
  });

  it("stays as it is", () => {
    expect(fields(validateTemplate(template(1), undefined))).toEqual([]);
    expect(fields(validateTemplate(template(2), template(1)))).toEqual(["spec.template.spec"]);
  });

  it.each([
    ["the default strategy that an earlier release filled in", surge(1), []],
    ["another strategy", surge(0), ["spec.template.spec"]],
  ])("may lose %s", (_, more, expected) => {
    const filled = template(1);
    const spec = { template: { spec: { ...filled.spec?.template.spec, ...more } as object } };
    expect(fields(validateTemplate(template(1), { ...filled, spec }))).toEqual(expected);
    expect(fields(validateTemplate({ ...filled, spec }, template(1)))).toEqual(expected);
  });

  it("has labels and annotations that are valid", () => {
    const odd = { labels: { "a b": "c" }, annotations: { "d e": "f" } };
    const { spec, ...others } = template(1);
    const object = { ...others, spec: { template: { ...spec?.template, metadata: odd } } };
    expect(fields(validateTemplate(object, undefined))).toEqual([
      "spec.template.metadata.labels",
      "spec.template.metadata.annotations",
    ]);
  });
});
