import { admissionOf } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { KThreesControlPlane, RKE2ControlPlane, RKE2ControlPlaneTemplate } from "../api.ts";
import { allWebhooks } from "./webhooks.ts";

const { causes, defaulted } = admissionOf(allWebhooks);

describe("defaults", () => {
  it("of a KThreesControlPlane: one server, and the namespace of its template", async () => {
    const infrastructureRef = { apiVersion: "v1", kind: "Template", name: "one" };
    const { spec } = await defaulted(KThreesControlPlane, {
      version: "v1.35.4+k3s1",
      machineTemplate: { infrastructureRef },
    });
    expect(spec).toEqual({
      replicas: 1,
      version: "v1.35.4+k3s1",
      machineTemplate: { infrastructureRef: { ...infrastructureRef, namespace: "default" } },
    });
    const elsewhere = { replicas: 3, machineTemplate: { infrastructureRef: { ...infrastructureRef, namespace: "b" } } };
    expect((await defaulted(KThreesControlPlane, elsewhere)).spec).toEqual(elsewhere);
    for (const given of [undefined, null, "text", { replicas: 1, machineTemplate: { infrastructureRef: "text" } }]) {
      expect((await defaulted(KThreesControlPlane, given)).spec).toEqual(given);
    }
  });

  it("of an RKE2ControlPlane: one server, one more while replacing, times of removal", async () => {
    const spec = {
      version: "v1.35.4+rke2r1",
      machineTemplate: { spec: { infrastructureRef: {}, deletion: { nodeDrainTimeoutSeconds: 5 } } },
    };
    expect((await defaulted(RKE2ControlPlane, spec)).spec).toMatchObject({
      replicas: 1,
      rolloutStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
      machineTemplate: {
        spec: {
          deletion: { nodeDrainTimeoutSeconds: 5, nodeVolumeDetachTimeoutSeconds: 300, nodeDeletionTimeoutSeconds: 10 },
        },
      },
    });
  });
});

it("warns of what RKE2 has no setting for, and not of annotations of Nodes", async () => {
  const plane = { serverConfig: { cloudControllerManager: { extraArgs: ["a=b"] } }, rolloutStrategy: {} };
  expect((await defaulted(RKE2ControlPlane, plane)).warnings).toEqual([
    "spec.serverConfig.cloudControllerManager.extraArgs is ignored: RKE2 has no such setting",
  ]);
  const annotated = { agentConfig: { nodeAnnotations: { a: "b" } }, rolloutStrategy: {} };
  expect((await defaulted(RKE2ControlPlane, annotated)).warnings).toEqual([]);
});

describe("rules", () => {
  const plane = { version: "v1.35.4+rke2r1", rolloutStrategy: {} };
  it.each([
    [{ replicas: 0 }, /^spec\.replicas: /],
    [{ serverConfig: { cniMultusEnable: true } }, /^spec\.serverConfig\.cni: /],
    [{ registrationMethod: "address" }, /^spec\.registrationAddress: /],
    [{ rolloutStrategy: { rollingUpdate: { maxSurge: 2 } } }, /maxSurge: /],
    [{ serverConfig: { secretsEncryption: { provider: "aescbc" } } }, /encryptionKeySecret: /],
  ])("refuse a control plane with %j", async (spec, message) => {
    expect(await causes(RKE2ControlPlane, { ...plane, ...spec })).toEqual([expect.stringMatching(message)]);
  });

  it("keep the method of registration, and templates of control planes", async () => {
    const external = { ...plane, registrationMethod: "external-only-ips" };
    expect(await causes(RKE2ControlPlane, { ...plane, registrationMethod: "internal-first" }, external)).toHaveLength(
      1,
    );
    expect(await causes(RKE2ControlPlane, external, plane)).toEqual([]);
    const template = { template: { spec: plane } };
    expect(await causes(RKE2ControlPlaneTemplate, template, template)).toEqual([]);
    expect(await causes(RKE2ControlPlaneTemplate, { template: { spec: external } }, template)).toHaveLength(1);
  });

  it("accept what has nothing wrong", async () => {
    const agentConfig = { airGapped: true, airGappedChecksum: "abc123", kubelet: { extraArgs: ["max-pods=150"] } };
    expect(await causes(RKE2ControlPlane, { ...plane, agentConfig, preRKE2Commands: ["a \\\n  b"] })).toEqual([]);
  });

  it("refuse what an RKE2Config is refused for", async () => {
    const files = [{ path: "a" }];
    expect(await causes(RKE2ControlPlane, { ...plane, files })).toEqual([
      expect.stringMatching(/^spec\.files\[0\]\.path: /),
    ]);
  });
});

it.each<[object, object | undefined, readonly RegExp[]]>([
  [{ version: "v1.35.4+k3s1" }, undefined, []],
  [{ version: "v1.35.4", replicas: 0 }, undefined, [/^spec\.replicas: /, /^spec\.version: .*must be a version of k3s/]],
  [{ version: "v1.35.4" }, { version: "v1.35.4" }, []],
  [{ version: "v1.35.5" }, { version: "v1.35.4" }, [/^spec\.version: /]],
])("a KThreesControlPlane of %j after %j", async (spec, old, messages) => {
  expect(await causes(KThreesControlPlane, spec, old)).toEqual(messages.map((each) => expect.stringMatching(each)));
});
