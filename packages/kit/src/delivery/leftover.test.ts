import { describe, expect, it } from "vitest";
import { ownerOf } from "../engine/owner.ts";
import { isBelieved, joinedLeftover, keysOfLeftover, leftoverOf, leftoverSecret, nextTryMs } from "./leftover.ts";
import type { Leftover } from "./leftover.ts";

const firstUid = "0c6f7a52-57c1-4f0e-9a53-6f1b6f0d2a11";
const leftover: Leftover = {
  uid: "u1",
  owner: { namespace: "team", name: "m", id: firstUid },
  stores: ["team/first"],
  storeType: "s3",
  machine: "LinodeMachine m",
  since: "2030-01-01T00:00:00Z",
};
const labels = { "cluster.x-k8s.io/cluster-name": "c", "cluster.x-k8s.io/watch-filter": "blue", other: "x" };
const machine = {
  apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2",
  kind: "LinodeMachine",
  metadata: { namespace: "team", name: "m", labels },
};

describe("the Secret of a leftover", () => {
  it("says what is left, belongs to nobody, and moves with the cluster", () => {
    const secret = leftoverSecret(machine, leftover, "team");
    expect(secret.metadata).toMatchObject({ namespace: "team", name: "stored-bootstrap-data-u1" });
    expect(secret.metadata.ownerReferences).toBeUndefined();
    expect(secret.metadata.labels).toEqual({
      "cluster.x-k8s.io/cluster-name": "c",
      "cluster.x-k8s.io/watch-filter": "blue",
      "capstan.dev/stored-bootstrap-data": "linodemachine",
      "clusterctl.cluster.x-k8s.io/move": "true",
    });
    expect(leftoverOf(secret)).toEqual(leftover);
  });

  it.each([
    ["another Secret", { metadata: {} }],
    [
      "one that somebody wrote over",
      {
        metadata: {
          labels: { "capstan.dev/stored-bootstrap-data": "x" },
          annotations: { "capstan.dev/stored-bootstrap-data": "{" },
        },
      },
    ],
    [
      "one without a uid, which would begin every key",
      {
        metadata: {
          labels: { "capstan.dev/stored-bootstrap-data": "x" },
          annotations: { "capstan.dev/stored-bootstrap-data": '{"uid":"","stores":[]}' },
        },
      },
    ],
    [
      "one by the name of another machine",
      { metadata: { ...leftoverSecret(machine, leftover, "team").metadata, name: "stored-bootstrap-data-u2" } },
    ],
  ])("%s is none", (_case, rest) => {
    expect(leftoverOf({ apiVersion: "v1", kind: "Secret", ...rest })).toBeUndefined();
  });
});

it.each([
  ["at once", "2030-01-01T00:00:00Z", 30_000],
  ["after a minute", "2029-12-31T23:59:00Z", 60_000],
  ["after ten minutes", "2029-12-31T23:50:00Z", 600_000],
  ["after a day", "2029-12-31T00:00:00Z", 3_600_000],
  ["when nobody knows since when", "", 3_600_000],
])("%s the next try waits as long as it has failed so far, within bounds", (_case, since, expected) => {
  expect(nextTryMs(since, Date.UTC(2030, 0, 1))).toBe(expected);
});

it("joins what two failures left of one machine, since the first", () => {
  const later = {
    ...leftover,
    stores: ["vault/second"],
    since: "2031-01-01T00:00:00Z",
  };
  expect(joinedLeftover(undefined, later)).toBe(later);
  expect(joinedLeftover(leftover, later)).toEqual({
    ...leftover,
    stores: ["team/first", "vault/second"],
  });
});

describe("what a record of a leftover speaks for", () => {
  const { mark } = ownerOf({ ...machine, metadata: { ...machine.metadata, uid: firstUid } });

  it("is what the store shows to be that machine's, and what nobody else's key can be", () => {
    expect(keysOfLeftover(leftover)).toEqual([
      { key: "u1", owner: mark },
      { key: "u1.report", owner: mark },
      { key: `${firstUid}.${mark}.report` },
    ]);
    const { owner: _, ...old } = leftover;
    expect(
      keysOfLeftover(old).map(({ owner }) => owner),
      "of an older release, nothing is shown",
    ).toEqual(["", ""]);
  });

  it("is a machine of its namespace, or one of another that is gone", () => {
    const secretIn = (namespace: string) => leftoverSecret(machine, leftover, namespace);
    const isThere = (each: string): boolean => each === mark;
    expect(isBelieved(secretIn("team"), leftover, isThere)).toBe(true);
    expect(isBelieved(secretIn("vault"), leftover, isThere)).toBe(false);
    expect(isBelieved(secretIn("vault"), leftover, () => false)).toBe(true);
  });
});
