import { Group } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { defaultObject } from "./default-object.ts";

const object = (kind: string, spec?: unknown, version = "v1beta2") => ({
  apiVersion: `${Group.core}/${version}`,
  kind,
  metadata: { name: "a" },
  ...(spec === undefined ? {} : { spec }),
});

describe("defaultObject", () => {
  it("fills in what the kind's webhook would, and then leaves the object alone", () => {
    const deployment = object("MachineDeployment", {
      clusterName: "c",
      selector: {},
      template: { spec: { clusterName: "c", bootstrap: {} } },
    });
    const once = defaultObject(deployment);
    expect(once).toMatchObject({ spec: { replicas: 1, rollout: { strategy: { type: "RollingUpdate" } } } });
    expect(defaultObject(once)).toBe(once);
  });

  it.each([
    ["an unknown kind", object("Cluster", {})],
    ["another version", object("MachineDeployment", { template: { spec: {} } }, "v1beta1")],
    ["no spec", object("Machine")],
    ["a spec of the wrong type", object("MachineSet", [])],
    ["a template without its spec", object("MachineDeployment", { template: {} })],
  ])("leaves %s to validation", (_, given) => expect(defaultObject(given)).toBe(given));
});
