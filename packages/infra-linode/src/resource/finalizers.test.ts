import { expect, it } from "vitest";
import { secretHoldNames } from "./finalizers.ts";

const cluster = { group: "infrastructure.cluster.x-k8s.io", kind: "LinodeCluster" };
const upstream = "linodecluster.infrastructure.cluster.x-k8s.io/team.prod";
const own = "capstan.dev/held-by-linodecluster.infrastructure.cluster.x-k8s.io";

it("a Secret is held by the finalizer that upstream's provider has for the object", () => {
  expect(secretHoldNames(cluster).of({ namespace: "team", name: "prod" })).toBe(upstream);
});

it("a name that upstream's finalizer cannot hold, and a hold of many, are the kind's own", () => {
  expect(secretHoldNames(cluster).of({ namespace: "team", name: "p".repeat(59) })).toBe(own);
  expect(secretHoldNames(cluster).of({ namespace: "team", name: "p".repeat(58) })).not.toBe(own);
  expect(secretHoldNames(cluster, { shared: true }).of({ namespace: "team", name: "prod" })).toBe(own);
});

it("both are known, and those of other kinds are not", () => {
  const { isOne } = secretHoldNames(cluster);
  const other = "linodemachine.infrastructure.cluster.x-k8s.io/team.prod";
  expect([upstream, own, other].map(isOne)).toEqual([true, true, false]);
});
