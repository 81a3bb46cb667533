import { Group } from "@capstan/contract";
import { admissionOf } from "@capstan/testing";
import { validate } from "@capstan/schema/structural";
import { describe, expect, it } from "vitest";
import { allWebhooks } from "../src/admission/webhooks.ts";
import { KThreesControlPlane, RKE2ControlPlane } from "../src/api.ts";

const { causes, converted, defaulted } = admissionOf(allWebhooks);

/** The spec as it is stored: converted, with its defaults, and refused by no one. */
const stored = async (kind: typeof KThreesControlPlane | typeof RKE2ControlPlane, from: string, sent: object) => {
  const { spec } = await defaulted(kind, converted(kind, from, { spec: sent })["spec"]);
  expect(await causes(kind, spec)).toEqual([]);
  expect(validate(kind.schema, { metadata: { name: "one" }, spec })).toEqual([]);
  return spec;
};

const infrastructureRef = {
  apiVersion: `${Group.infrastructure}/v1alpha2`,
  kind: "LinodeMachineTemplate",
  name: "servers",
};

describe("flavors that were written for upstream's providers are stored", () => {
  it("of RKE2: an empty profile, and fields beside machineTemplate", async () => {
    const sent = {
      agentConfig: { cisProfile: "", nodeName: "{{ ds.meta_data.label }}", protectKernelDefaults: false },
      infrastructureRef,
      nodeDrainTimeout: "2m",
      registrationMethod: "internal-only-ips",
      replicas: 3,
      rolloutStrategy: { rollingUpdate: { maxSurge: 1 } },
      serverConfig: { cloudProviderName: "external", cni: "none" },
      version: "v1.35.4+rke2r1",
    };
    const spec = await stored(RKE2ControlPlane, "v1beta1", sent);
    expect(spec).toMatchObject({
      agentConfig: { nodeName: "{{ ds.meta_data.label }}", format: "cloud-config" },
      machineTemplate: {
        spec: { infrastructureRef: { name: "servers" }, deletion: { nodeDrainTimeoutSeconds: 120 } },
      },
    });
    expect(spec).not.toHaveProperty("agentConfig.cisProfile");
  });

  it("of k3s: the cloud controller is elsewhere", async () => {
    const sent = {
      kthreesConfigSpec: { serverConfig: { disableComponents: ["servicelb", "traefik"] } },
      machineTemplate: { infrastructureRef },
      replicas: 3,
      version: "v1.35.4+k3s1",
    };
    expect(await stored(KThreesControlPlane, "v1beta2", sent)).toMatchObject({
      kthreesConfigSpec: { serverConfig: { disableCloudController: true, cloudProviderName: "external" } },
      machineTemplate: { infrastructureRef: { ...infrastructureRef, namespace: "default" } },
    });
  });
});
