import { expect, it } from "vitest";
import type { EtcdMember, Member } from "@capstan/kit/control-plane";
import type { Etcd } from "../workload/etcd.ts";
import type { Server } from "../workload/servers.ts";
import { memberConditions } from "./member-conditions.ts";

const member = {
  machine: { metadata: { name: "one" }, status: { nodeRef: { name: "node" } } },
} as unknown as Member;
const server = (ready: string): Server => ({
  node: { apiVersion: "v1", kind: "Node", metadata: { name: "node" } },
  ready: { type: "Ready", status: ready },
  member: { name: "node-0a1b2c3d", votes: true, leaves: false, removed: false },
});
const viewOf = (part: Partial<EtcdMember>, silent: readonly (readonly [string, string])[] = []): Etcd => ({
  leader: 1n,
  silent: new Map(silent),
  members: [{ id: 1n, name: "node-0a1b2c3d", hosts: [], learner: false, alarms: [], ...part }],
});

it.each<[string, Etcd, string, string, string | undefined]>([
  ["has it", viewOf({}), "True", "True", undefined],
  ["has another only", viewOf({ name: "node-1" }), "True", "False", "etcd has no member node-0a1b2c3d"],
  ["has it as a learner", viewOf({ learner: true }), "True", "False", "Waiting for the learner to be promoted"],
  ["has an alarm of it", viewOf({ alarms: ["NOSPACE"] }), "True", "False", "Alarms: NOSPACE"],
  ["does not run on a ready Node", viewOf({}, [["node", "refused"]]), "True", "Unknown", "does not work: refused"],
  ["runs elsewhere only", viewOf({}, [["other", "refused"]]), "True", "True", undefined],
  ["does not answer", { failed: "no leader" }, "True", "Unknown", "no leader"],
  ["cannot be reached, as of servers of other tools", undefined, "True", "True", undefined],
  ["has it on a Node that is unreachable", viewOf({}), "Unknown", "Unknown", "is unreachable"],
])("a member where etcd %s", (_, etcd, ready, status, message) => {
  const said = memberConditions(member, new Map([["node", server(ready)]]), { etcd, ownEtcd: true });
  const condition = said.find(({ type }) => type === "EtcdMemberHealthy");
  expect(condition?.status).toBe(status);
  if (message === undefined) expect(condition?.message).toBeUndefined();
  else expect(condition?.message).toContain(message);
});
