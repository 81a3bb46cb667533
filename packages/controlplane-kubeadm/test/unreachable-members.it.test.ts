import { clusterSecretType, Label } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { Member } from "@capstan/kit/control-plane";
import { createCertificateAuthority } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import { recentClock } from "@capstan/testing";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { beforeDeletion, leaveEtcd } from "../src/control-plane/leave.ts";
import { MemberCondition } from "../src/api/control-plane-conditions.ts";
import { Workload } from "./workload-world.ts";

const clock = recentClock();
const namespace = "default";
const cluster: KubeObject = { apiVersion: "", kind: "Cluster", metadata: { namespace, name: "c" } };
let authority: { readonly certificate: string; readonly key: string };
let workload: Workload;

beforeAll(async () => {
  authority = await createCertificateAuthority({ now: clock.now(), commonName: "etcd-ca", algorithm: "ECDSA-P256" });
});

beforeEach(async () => {
  workload = await Workload.start();
  await workload.client.create(SecretResource, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name: "c-etcd", labels: { [Label.clusterName]: "c" } },
    type: clusterSecretType,
    stringData: { "tls.crt": authority.certificate, "tls.key": authority.key },
  });
});
afterEach(() => workload.stop());

/** Machines with Nodes and members of etcd that all work. The first leads. `leaving`: those that are being deleted; `down`: whose etcd is not seen running. */
const joined = async (
  names: readonly string[],
  { leaving = [], down = [] }: { readonly leaving?: readonly string[]; readonly down?: readonly string[] } = {},
): Promise<readonly Member[]> => {
  const members = names.map((name) => {
    const conditions = Object.values(MemberCondition).map((type) => {
      const isBad = leaving.includes(name) || (down.includes(name) && type === MemberCondition.etcdPod);
      return { type, status: isBad ? "False" : "True" };
    });
    const deleted = leaving.includes(name) ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {};
    const machine = {
      kind: "Machine",
      metadata: { namespace, name, ...deleted },
      spec: { clusterName: "c", bootstrap: {} },
      status: { nodeRef: { name: `node-${name}` }, conditions },
    };
    return { machine, config: undefined, infrastructure: undefined, outdated: [], broken: false } as unknown as Member;
  });
  for (const { machine } of members) await workload.join(machine, workload.client);
  return members;
};

/** What one reconcile has when it comes to one of the Machines. */
const reconcileOf = (members: readonly Member[], name: string): Parameters<typeof leaveEtcd>[0] =>
  ({
    object: { metadata: {}, spec: {} },
    cluster,
    initialized: true,
    members,
    member: members.find(({ machine }) => machine.metadata.name === name),
    client: workload.client,
    clock,
    workload: () => Promise.resolve(workload.client),
    call: { signal: new AbortController().signal },
  }) as unknown as Parameters<typeof leaveEtcd>[0];

const memberNames = (): readonly string[] => workload.etcd.members.map((member) => member.name);

it("asks an unreachable member once in a reconcile, and never the one that leaves", async () => {
  const members = await joined(["a", "b", "c", "d", "e"], { leaving: ["d", "e"] });
  for (const name of ["a", "d", "e"]) workload.unreachable.add(`node-${name}`);
  expect(await leaveEtcd(reconcileOf(members, "d"))).toBeUndefined();
  expect(memberNames()).toEqual(["node-a", "node-b", "node-c", "node-e"]);
  expect(workload.asked.filter((node) => workload.unreachable.has(node))).toEqual(["node-a", "node-e"]);
});

it("does not wait for an unreachable leader while the others are a safe majority", async () => {
  const members = await joined(["a", "b", "c"]);
  workload.unreachable.add("node-a");
  expect(await beforeDeletion(reconcileOf(members, "a"))).toBeUndefined();
  expect(workload.asked.filter((node) => node === "node-a")).toEqual(["node-a"]);
});

it("waits for an unreachable leader while the others are no safe majority", async () => {
  const members = await joined(["a", "b"]);
  workload.unreachable.add("node-a");
  workload.etcd.setAlarm(workload.etcd.members[1]?.id ?? "", "NOSPACE", true);
  expect(await beforeDeletion(reconcileOf(members, "a"))).toMatchObject({
    message: expect.stringMatching(/^etcd on node-a cannot transfer leadership: .*; etcd would lose quorum/) as unknown,
  });
});

it("counts a member as lost whose Pod does not run, although the others still know it", async () => {
  const members = await joined(["a", "b", "c"], { leaving: ["a"], down: ["b"] });
  expect(await leaveEtcd(reconcileOf(members, "a"))).toEqual({
    reason: "WaitingForQuorum",
    message: "etcd would lose quorum: 1 of 2 members would be healthy, 2 required",
  });
  expect(memberNames()).toEqual(["node-a", "node-b", "node-c"]);
});

it("waits when etcd itself refuses", async () => {
  const members = await joined(["a", "b", "c"], { leaving: ["a"] });
  workload.etcd.stopped(workload.etcd.members[1]?.id ?? "");
  expect(await leaveEtcd(reconcileOf(members, "a"))).toMatchObject({
    reason: "WaitingForQuorum",
    message: expect.stringContaining("unhealthy cluster") as unknown,
  });
});
