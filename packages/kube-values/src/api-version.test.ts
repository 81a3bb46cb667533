import { expect, it } from "vitest";
import { compareVersions, groupOf, versionOf } from "./api-version.ts";

it.each([
  ["v1", "", "v1"],
  ["apps/v1", "apps", "v1"],
  ["cluster.x-k8s.io/v1beta2", "cluster.x-k8s.io", "v1beta2"],
])("%s has group and version", (apiVersion, group, version) => {
  expect(groupOf(apiVersion)).toBe(group);
  expect(versionOf(apiVersion)).toBe(version);
});

it("orders versions as Kubernetes does", () => {
  const ordered = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
  expect(compareVersions("v1", "v1")).toBe(0);
  expect(compareVersions("foo", "foo")).toBe(0);
});
