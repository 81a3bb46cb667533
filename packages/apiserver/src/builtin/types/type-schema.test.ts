import type { StructuralSchema } from "@capstan/schema/structural";
import { describe, expect, it } from "vitest";
import { builtinDefinitions } from "../definitions.ts";
import { requiredCauses } from "../validation/required.ts";
import { kindSchema, objectMetaSchema } from "./type-schema.ts";

/** The schema at a path of members; `[]` stands for the items of a list, `{}` for the values of a map. */
const at = (schema: StructuralSchema, ...path: readonly string[]): StructuralSchema =>
  path.reduce<StructuralSchema>((node, step) => {
    const next = step === "[]" ? node.items : step === "{}" ? node.additionalProperties : node.properties?.[step];
    if (typeof next !== "object") {
      throw new Error(`nothing at ${step}`);
    }
    return next;
  }, schema);

const pod = kindSchema("core", "Pod");

describe("schemas of built-in kinds", () => {
  it.each(builtinDefinitions().map((definition) => [`${definition.group}/${definition.kind}`, definition] as const))(
    "%s describes a whole object",
    (_, { schema }) => {
      expect(at(schema, "apiVersion")).toEqual({ type: "string" });
      expect(at(schema, "metadata")).toBe(objectMetaSchema());
      expect(Object.isFrozen(schema)).toBe(true);
      expect(JSON.stringify(schema).length).toBeLessThan(300_000);
    },
  );

  it("are shared", () => {
    expect(kindSchema("core", "Pod")).toBe(pod);
    const template = at(kindSchema("apps", "Deployment"), "spec", "template");
    expect(at(template, "spec")).toBe(at(pod, "spec"));
    expect(at(template, "metadata")).toBe(objectMetaSchema());
  });

  it("tell how lists are merged", () => {
    const ports = at(pod, "spec", "containers", "[]", "ports");
    expect(ports).toMatchObject({
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "containerPort",
    });
    expect(at(ports, "[]", "protocol")).toEqual({ type: "string", default: "TCP" });
    expect(at(pod, "spec", "tolerations")).not.toHaveProperty("x-kubernetes-list-type");
    expect(at(objectMetaSchema(), "finalizers")["x-kubernetes-list-type"]).toBe("set");
    expect(at(objectMetaSchema(), "ownerReferences", "[]")["x-kubernetes-map-type"]).toBe("atomic");
    expect(at(kindSchema("apps", "Deployment"), "spec", "selector")["x-kubernetes-map-type"]).toBe("atomic");
    expect(at(pod, "spec", "nodeSelector")["x-kubernetes-map-type"]).toBe("atomic");
  });

  it("put embedded types in their place", () => {
    expect(at(pod, "spec", "volumes", "[]", "secret", "secretName")).toEqual({ type: "string" });
    expect(at(pod, "spec", "containers", "[]", "livenessProbe", "httpGet", "port")).toEqual({
      "x-kubernetes-int-or-string": true,
    });
  });

  it("know the forms of special values", () => {
    const limits = at(pod, "spec", "containers", "[]", "resources", "limits", "{}");
    expect(limits).toMatchObject({ "x-kubernetes-int-or-string": true });
    const quantity = new RegExp(limits.pattern ?? "");
    expect(["1", "100m", "1.5Gi", "12e6", "-1"].map((text) => quantity.test(text))).not.toContain(false);
    expect(["", "Gi", "1 Gi", "a"].map((text) => quantity.test(text))).not.toContain(true);
    expect(at(kindSchema("core", "Secret"), "data", "{}")).toEqual({ type: "string", format: "byte", default: "" });
    expect(at(kindSchema("coordination", "Lease"), "spec", "renewTime")).toEqual({
      type: "string",
      format: "date-time",
      pattern: "[.,][0-9]{6}(Z|[-+][0-9]{2}:[0-9]{2})$",
    });
    expect(
      at(
        kindSchema("apiextensions", "CustomResourceDefinition"),
        "spec",
        "versions",
        "[]",
        "schema",
        "openAPIV3Schema",
      ),
    ).toEqual({
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
    });
  });
});

const fieldsOf = (spec: unknown, rest: object = {}): readonly string[] =>
  requiredCauses({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec, ...rest }, pod).map(
    ({ field }) => field,
  );

describe("requiredCauses", () => {
  it.each([
    [{}, ["spec.containers"]],
    [{ containers: [{ image: "i" }] }, ["spec.containers[0].name"]],
    [{ containers: [], hostAliases: [{ ip: "" }] }, ["spec.hostAliases[0].ip"]],
    [{ containers: [{ name: "c", env: [{ value: "" }] }] }, ["spec.containers[0].env[0].name"]],
    [
      { containers: [{ name: "c", lifecycle: { preStop: { httpGet: { httpHeaders: [{ name: "a", value: "" }] } } } }] },
      ["spec.containers[0].lifecycle.preStop.httpGet.port"],
    ],
    ["text", []],
  ])("of %j", (spec, fields) => {
    expect(fieldsOf(spec)).toEqual(fields);
  });

  it("asks for nothing in status and metadata", () => {
    expect(fieldsOf({ containers: [] }, { status: { conditions: [{}], containerStatuses: [{}] } })).toEqual([]);
  });

  it("does not miss flags, counters and times", () => {
    const revision = { apiVersion: "apps/v1", kind: "ControllerRevision", metadata: {} };
    expect(requiredCauses(revision, kindSchema("apps", "ControllerRevision"))).toEqual([]);
  });
});
