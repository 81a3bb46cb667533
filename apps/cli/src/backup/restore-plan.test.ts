import { describe, expect, it } from "vitest";
import type { BackupEntry } from "./backup-file.ts";
import { inOrder, isAboutServer, isMadeByCluster, isMadeByServer } from "./restore-plan.ts";

const entry = (plural: string, name: string, owners: readonly string[] = [], group = ""): BackupEntry => ({
  plural,
  namespaced: false,
  object: {
    apiVersion: group === "" ? "v1" : `${group}/v1`,
    kind: plural,
    metadata: {
      name,
      uid: name,
      ownerReferences: owners.map((uid) => ({ apiVersion: "v1", kind: "K", name: uid, uid, controller: true })),
    },
  },
});

const names = (entries: readonly BackupEntry[]) => entries.map(({ object }) => object.metadata.name);

describe("the order of restoring", () => {
  it("is definitions, namespaces, owners before what they own", () => {
    const entries = [
      entry("things", "leaf", ["middle", "root"]),
      entry("things", "middle", ["root"]),
      entry("namespaces", "ns"),
      entry("things", "root"),
      entry("customresourcedefinitions", "crd", [], "apiextensions.k8s.io"),
      entry("things", "free"),
    ];
    expect(names(inOrder(entries))).toEqual(["crd", "ns", "root", "free", "middle", "leaf"]);
  });

  it("exists for owners that are not there and for circles", () => {
    const entries = [entry("things", "a", ["b"]), entry("things", "b", ["a"]), entry("things", "c", ["gone"])];
    expect(names(inOrder(entries)).toSorted((a, b) => (a! < b! ? -1 : 1))).toEqual(["a", "b", "c"]);
  });
});

it("APIServices of what a server serves itself are in no backup, those of others are", () => {
  const service = entry("apiservices", "v1.a", [], "apiregistration.k8s.io");
  const labels = { "kube-aggregator.kubernetes.io/automanaged": "onstart" };
  const local = { ...service, object: { ...service.object, metadata: { name: "v1.apps", labels } } };
  expect([isAboutServer(service), isAboutServer(local)]).toEqual([false, true]);
});

describe("what is made anew", () => {
  it.each([
    [entry("namespaces", "default"), true, false],
    [entry("namespaces", "prod"), false, false],
    [entry("serviceaccounts", "default"), true, false],
    [entry("ipaddresses", "10.0.0.1", [], "networking.k8s.io"), true, false],
    [entry("servicecidrs", "kubernetes", [], "networking.k8s.io"), true, false],
    [entry("servicecidrs", "more", [], "networking.k8s.io"), false, false],
    [entry("nodes", "one"), false, true],
    [entry("replicasets", "one", ["deployment"], "apps"), false, true],
    [entry("replicasets", "alone", [], "apps"), false, false],
  ])("%#", (given, byServer, byCluster) => {
    expect(isMadeByServer(given)).toBe(byServer);
    expect(isMadeByCluster(given)).toBe(byCluster);
  });
});
