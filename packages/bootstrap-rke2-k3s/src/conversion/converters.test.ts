import { Group } from "@capstan/contract";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { KThreesConfig, KThreesControlPlane, RKE2ControlPlane } from "../api.ts";
import { converters } from "./converters.ts";

const convert = (
  kind: { group: string; kind: string; plural: string },
  version: "v1beta1" | "v1beta2",
  body: object,
) => {
  const from = version === "v1beta2" ? "v1beta1" : "v1beta2";
  const object: KubeObject = {
    apiVersion: apiVersionOf({ group: kind.group, version: from }),
    kind: kind.kind,
    metadata: { namespace: "default", name: "one" },
    ...body,
  };
  const to = apiVersionOf({ group: kind.group, version });
  const {
    apiVersion: _,
    kind: _kind,
    metadata: _metadata,
    ...rest
  } = converters[`${kind.plural}.${kind.group}`]!(object, to, (group) => `${group}/v1`);
  return rest;
};

const reference = { apiVersion: `${Group.infrastructure}/v1alpha2`, kind: "LinodeMachineTemplate", name: "servers" };

it("follows the reference and the timeout that older flavors have beside machineTemplate", () => {
  const spec = { infrastructureRef: reference, nodeDrainTimeout: "2m", rolloutStrategy: {} };
  expect(convert(RKE2ControlPlane, "v1beta2", { spec })).toEqual({
    spec: {
      rolloutStrategy: {},
      machineTemplate: {
        spec: {
          infrastructureRef: { apiGroup: Group.infrastructure, kind: "LinodeMachineTemplate", name: "servers" },
          deletion: { nodeDrainTimeoutSeconds: 120 },
        },
      },
    },
  });
});

it("prefers what machineTemplate says", () => {
  const spec = {
    infrastructureRef: { ...reference, name: "old" },
    rolloutStrategy: {},
    machineTemplate: { infrastructureRef: reference, nodeDeletionTimeout: "10s" },
  };
  expect(convert(RKE2ControlPlane, "v1beta2", { spec })).toMatchObject({
    spec: {
      machineTemplate: {
        spec: { infrastructureRef: { name: "servers" }, deletion: { nodeDeletionTimeoutSeconds: 10 } },
      },
    },
  });
});

it.each([
  [true, { disableCloudController: false, cloudProviderName: "" }],
  [false, { disableCloudController: true, cloudProviderName: "external" }],
])("makes two fields of k3s's disableExternalCloudProvider: %s", (flag, fields) => {
  const older = { spec: { serverConfig: { disableExternalCloudProvider: flag } } };
  const newer = convert(KThreesConfig, "v1beta2", older);
  expect(newer).toEqual({ spec: { serverConfig: fields } });
  expect(convert(KThreesConfig, "v1beta1", newer)).toEqual(older);
});

it("moves what k3s's control plane had beside machineTemplate", () => {
  const older = {
    spec: {
      version: "v1.35.4+k3s1",
      infrastructureTemplate: reference,
      upgradeAfter: "2027-01-01T00:00:00Z",
      nodeDrainTimeout: "1m0s",
    },
  };
  const newer = convert(KThreesControlPlane, "v1beta2", older);
  expect(newer).toEqual({
    spec: {
      version: "v1.35.4+k3s1",
      rolloutAfter: "2027-01-01T00:00:00Z",
      machineTemplate: { infrastructureRef: reference, nodeDrainTimeout: "1m0s" },
    },
  });
  expect(convert(KThreesControlPlane, "v1beta1", newer)).toEqual(older);
});
