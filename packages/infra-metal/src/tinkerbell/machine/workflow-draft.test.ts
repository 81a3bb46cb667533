import type { Hardware } from "@capstan/tinkerbell/api";
import { describe, expect, it } from "vitest";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { workflowDraft } from "./workflow-draft.ts";

const machine = (bootOptions?: object): TinkerbellMachine => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "TinkerbellMachine",
  metadata: { name: "worker-1", namespace: "default" },
  spec: { ...(bootOptions && { bootOptions }) },
});

const bmcRef = { apiGroup: "bmc.tinkerbell.org", kind: "Machine", name: "hw-bmc" };

const hardware = (spec: object = {}): Hardware => ({
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Hardware",
  metadata: { name: "hw", namespace: "rack" },
  spec: { interfaces: [{ disableDhcp: false, dhcp: { mac: "52:54:00:00:00:01" } }], ...spec },
});

describe("workflowDraft", () => {
  it("is of its Template, and of the agent that boots on the Hardware", () => {
    expect(workflowDraft(machine(), hardware(), "t")).toEqual({
      metadata: { name: "worker-1" },
      spec: {
        templateRef: "t",
        hardwareRef: "hw",
        hardwareMap: { device_1: "52:54:00:00:00:01" },
        bootOptions: { toggleAllowNetboot: true },
      },
    });
    expect(workflowDraft(machine(), hardware({ agentID: "agent-7" }), "t").spec?.hardwareMap).toEqual({
      device_1: "agent-7",
    });
  });

  it("boots by board management where there is one", () => {
    const netboot = machine({ bootMode: "netboot" });
    expect(workflowDraft(netboot, hardware(), "t").spec?.bootOptions).toEqual({ toggleAllowNetboot: true });
    expect(workflowDraft(netboot, hardware({ bmcRef }), "t").spec?.bootOptions).toEqual({
      toggleAllowNetboot: true,
      bootMode: "netboot",
    });
  });

  it("asks for the ISO of the machine", () => {
    const iso = machine({ bootMode: "isoboot", isoURL: "http://10.0.0.5:7080/iso/hook.iso?a=b" });
    expect(workflowDraft(iso, hardware({ bmcRef }), "t").spec?.bootOptions).toMatchObject({
      isoURL: "http://10.0.0.5:7080/iso/52-54-00-00-00-01/hook.iso?a=b",
    });
  });
});
