import { Annotation, Group, Label } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { clonedKind, cloneTemplate } from "./clone-template.ts";

const template = (spec: unknown) => ({
  apiVersion: `${Group.infrastructure}/v1beta1`,
  kind: "TestMachineTemplate",
  metadata: { name: "t", namespace: "default", uid: "u", labels: { top: "level" } },
  spec,
  status: { capacity: { cpu: "2" } },
});
const owner = { apiVersion: "g/v1", kind: "MachineSet", name: "set", uid: "uid-set" };
const input = { namespace: "default", name: "set-abcde", clusterName: "prod", owner };
const origin = {
  [Annotation.clonedFromName]: "t",
  [Annotation.clonedFromGroupKind]: `TestMachineTemplate.${Group.infrastructure}`,
};

describe("cloneTemplate", () => {
  it("takes the body, with the labels and annotations of all, and nothing else of the template", () => {
    const body = { metadata: { labels: { a: "1", b: "1" }, annotations: { c: "1" } }, spec: { size: "small" } };
    const clone = cloneTemplate({
      ...input,
      template: template({ template: body }),
      labels: { b: "2" },
      annotations: { d: "1" },
    });
    expect(clone).toEqual({
      apiVersion: `${Group.infrastructure}/v1beta1`,
      kind: "TestMachine",
      metadata: {
        name: "set-abcde",
        namespace: "default",
        labels: { a: "1", b: "2", [Label.clusterName]: "prod" },
        annotations: { c: "1", d: "1", ...origin },
        ownerReferences: [owner],
      },
      spec: { size: "small" },
    });
  });

  it("never copies a status or foreign metadata", () => {
    const body = { metadata: { name: "x", uid: "x", finalizers: ["f"] }, spec: {}, status: { ready: true } };
    const clone = cloneTemplate({ ...input, template: template({ template: body }) });
    expect(clone).not.toHaveProperty("status");
    expect(Object.keys(clone.metadata).sort()).toEqual([
      "annotations",
      "labels",
      "name",
      "namespace",
      "ownerReferences",
    ]);
  });

  it("obeys a kind that the body carries itself", () => {
    const body = { apiVersion: "other.example/v1", kind: "Special", spec: {} };
    expect(cloneTemplate({ ...input, template: template({ template: body }) })).toMatchObject({
      apiVersion: "other.example/v1",
      kind: "Special",
    });
  });

  it("makes an empty object of a template without a body", () => {
    const clone = cloneTemplate({ ...input, template: template(undefined) });
    expect(clone).not.toHaveProperty("spec");
    expect(clone.kind).toBe("TestMachine");
  });

  it.each(["TestMachine", "Template"])("refuses the template kind %s", (kind) => {
    expect(() => clonedKind(kind)).toThrow("must end in Template");
  });
});
