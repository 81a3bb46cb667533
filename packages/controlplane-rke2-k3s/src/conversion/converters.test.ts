import { Group } from "@capstan/contract";
import { admissionOf } from "@capstan/testing";
import { expect, it } from "vitest";
import { allWebhooks } from "../admission/webhooks.ts";
import { KThreesControlPlane, KThreesControlPlaneV1Beta1, RKE2ControlPlane } from "../api.ts";

const { converted } = admissionOf(allWebhooks);

const reference = { apiVersion: `${Group.infrastructure}/v1alpha2`, kind: "LinodeMachineTemplate", name: "servers" };

it("follows the reference and the timeout that older flavors have beside machineTemplate", () => {
  const spec = { infrastructureRef: reference, nodeDrainTimeout: "2m", rolloutStrategy: {} };
  expect(converted(RKE2ControlPlane, "v1beta1", { spec })).toEqual({
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
  expect(converted(RKE2ControlPlane, "v1beta1", { spec })).toMatchObject({
    spec: {
      machineTemplate: {
        spec: { infrastructureRef: { name: "servers" }, deletion: { nodeDeletionTimeoutSeconds: 10 } },
      },
    },
  });
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
  const newer = converted(KThreesControlPlane, "v1beta1", older);
  expect(newer).toEqual({
    spec: {
      version: "v1.35.4+k3s1",
      rolloutAfter: "2027-01-01T00:00:00Z",
      machineTemplate: { infrastructureRef: reference, nodeDrainTimeout: "1m0s" },
    },
  });
  expect(converted(KThreesControlPlaneV1Beta1, "v1beta2", newer)).toEqual(older);
});
