import { expect, it } from "vitest";
import { clusterRoleFor } from "./cluster-role.ts";
import { resource } from "./resource.ts";

const of = (group: string, kind: string) => resource({ group, version: "v1", kind, plural: `${kind.toLowerCase()}s` });

it("grants all on what is managed and reading on the rest, one rule per group", () => {
  const role = clusterRoleFor("manager", {
    manages: [of("b.test", "Pool"), of("a.test", "Server"), of("a.test", "Disk"), of("a.test", "Disk")],
    reads: [of("", "Node")],
    rules: [{ apiGroups: [""], resources: ["events"], verbs: ["create"] }],
    labels: { aggregate: "true" },
  });
  expect(role.metadata).toEqual({ name: "manager", labels: { aggregate: "true" } });
  expect(role.rules.map(({ apiGroups, resources, verbs }) => [apiGroups[0], resources.join(), verbs.length])).toEqual([
    ["a.test", "disks,servers", 7],
    ["b.test", "pools", 7],
    ["a.test", "disks/finalizers,disks/status,servers/finalizers,servers/status", 3],
    ["b.test", "pools/finalizers,pools/status", 3],
    ["", "nodes", 3],
    ["", "events", 1],
  ]);
});
