import { describe, expect, it } from "vitest";
import { type Rule, ruleMatches } from "./match-rules.ts";

const everything: Rule = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] };
const widgets = { group: "conf.capstan.test", version: "v1", plural: "widgets", namespaced: true };
const namespaces = { group: "", version: "v1", plural: "namespaces", namespaced: false };
const request = { operation: "CREATE", subresource: "", namespace: "n", name: "x" } as const;
const status = { ...request, operation: "UPDATE", subresource: "status" } as const;

describe("a rule", () => {
  it.each<[Partial<Rule>, boolean]>([
    [{}, true],
    [{ operations: ["UPDATE", "CREATE"] }, true],
    [{ operations: ["UPDATE"] }, false],
    [{ operations: [] }, false],
    [{ apiGroups: ["conf.capstan.test"] }, true],
    [{ apiGroups: [""] }, false],
    [{ apiVersions: ["v1beta1", "v1"] }, true],
    [{ apiVersions: ["v1beta1"] }, false],
    [{ resources: ["widgets"] }, true],
    [{ resources: ["widgets/*"] }, true],
    [{ resources: ["*/*"] }, true],
    [{ resources: ["gadgets"] }, false],
    [{ resources: ["widgets/status"] }, false],
    [{ scope: "Namespaced" }, true],
    [{ scope: "Cluster" }, false],
    [{ resourceNames: [] }, true],
    [{ resourceNames: ["x"] }, true],
    [{ resourceNames: ["y"] }, false],
  ])("%j on the object: %s", (rule, expected) => {
    expect(ruleMatches({ ...everything, ...rule }, request, widgets)).toBe(expected);
  });

  it.each<[readonly string[], boolean]>([
    [["*"], false],
    [["widgets"], false],
    [["widgets/status"], true],
    [["widgets/scale"], false],
    [["widgets/*"], true],
    [["*/status"], true],
    [["*/*"], true],
  ])("%j on the subresource status: %s", (resources, expected) => {
    expect(ruleMatches({ ...everything, resources }, status, widgets)).toBe(expected);
  });

  it.each<[string, boolean]>([
    ["Cluster", true],
    ["Namespaced", false],
    ["*", true],
  ])("of scope %s on a Namespace: %s", (scope, expected) => {
    expect(ruleMatches({ ...everything, scope }, request, namespaces)).toBe(expected);
  });
});
