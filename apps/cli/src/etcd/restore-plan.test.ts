import { describe, expect, it } from "vitest";
import type { EtcdKeyValue } from "@capstan/kit/control-plane";
import { clusterUid, planRestore } from "./restore-plan.ts";

const keysOf = (values: Readonly<Record<string, string>>, hasLease = false): ReadonlyMap<string, EtcdKeyValue> =>
  new Map(
    Object.entries(values).map(([key, value], index) => [
      key,
      { key, value: Buffer.from(value), created: BigInt(index + 1), hasLease },
    ]),
  );

const planned = (before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>) => {
  const { put, remove, same } = planRestore(keysOf(before), keysOf(now));
  return { put: put.map(({ key }) => key), remove: remove.map(({ key }) => key), same };
};

describe("a restore", () => {
  it("writes what differs or is gone, owners first, and deletes what came since, owners last", () => {
    const owner = "/registry/deployments/default/owner";
    const owned = "/registry/replicasets/default/owned";
    const changed = "/registry/configmaps/default/changed";
    expect(
      planned(
        { [owner]: "1", [owned]: "1", [changed]: "1", "/registry/a": "1" },
        { [changed]: "2", "/registry/a": "1" },
      ),
    ).toEqual({
      put: [owner, owned, changed],
      remove: [],
      same: 1,
    });
    expect(planned({}, { [owner]: "1", [owned]: "1" }).remove).toEqual([owned, owner]);
  });

  it.each([
    "/registry/minions/node",
    "/registry/csinodes/node",
    "/registry/leases/kube-node-lease/node",
    "/registry/masterleases/192.0.2.1",
    "/registry/events/default/one",
    "/registry/certificatesigningrequests/one",
    "/registry/secrets/kube-system/bootstrap-token-abcdef",
    "/registry/secrets/kube-system/rke2-serving",
    "/registry/secrets/kube-system/one.node-password.k3s",
    "/registry/pods/kube-system/etcd-node",
    "/bootstrap/0123456789ab",
    "compact_rev_key",
  ])("leaves %s as it is", (key) => {
    expect(planned({ [key]: "1" }, {})).toEqual({ put: [], remove: [], same: 0 });
    expect(planned({}, { [key]: "1" })).toEqual({ put: [], remove: [], same: 0 });
  });

  it("leaves keys with a lease as they are", () => {
    const leased = keysOf({ "/registry/a": "1" }, true);
    expect(planRestore(leased, new Map())).toMatchObject({ put: [] });
    expect(planRestore(new Map(), leased)).toMatchObject({ remove: [] });
  });

  it("knows the cluster by the uid of kube-system, in JSON and in protobuf", () => {
    const uid = "0d5b8c1e-3f14-4b52-9a4e-1c2d3e4f5a6b";
    const key = "/registry/namespaces/kube-system";
    expect(clusterUid(keysOf({ [key]: `{"metadata":{"uid":"${uid}"}}` }))).toBe(uid);
    expect(clusterUid(keysOf({ [key]: `k8s\u0000\n\u000f\n\u0002v1\u0012\tNamespace*$${uid}2` }))).toBe(uid);
    expect(clusterUid(keysOf({}))).toBeUndefined();
  });
});
