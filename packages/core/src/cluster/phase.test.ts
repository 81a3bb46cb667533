import { Group } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { at, cluster } from "../../test/objects.ts";
import { clusterPhase } from "./phase.ts";

const endpoint = { host: "203.0.113.40", port: 6443 };
const provisioned = { initialization: { infrastructureProvisioned: true } };
const controlPlaneRef = { apiGroup: Group.controlPlane, kind: "TestControlPlane", name: "prod" };

describe("clusterPhase", () => {
  it.each<[string, ReturnType<typeof cluster>, string]>([
    ["no references", { ...cluster(), spec: {} }, "Pending"],
    ["an infrastructure reference", cluster(), "Provisioning"],
    ["a control plane reference", { ...cluster(), spec: { controlPlaneRef } }, "Provisioning"],
    ["provisioned without an endpoint", cluster({ status: provisioned }), "Provisioning"],
    ["an endpoint before provisioned", cluster({ spec: { controlPlaneEndpoint: endpoint } }), "Provisioning"],
    [
      "half an endpoint",
      cluster({ spec: { controlPlaneEndpoint: { host: "h" } }, status: provisioned }),
      "Provisioning",
    ],
    ["both", cluster({ spec: { controlPlaneEndpoint: endpoint }, status: provisioned }), "Provisioned"],
    ["deletion", cluster({ metadata: { deletionTimestamp: at(1) }, status: provisioned }), "Deleting"],
  ])("with %s", (_, object, phase) => {
    expect(clusterPhase(object)).toBe(phase);
  });
});
