import { expect, it } from "vitest";
import { type LeavePlan, planLeave } from "./leave-plan.ts";

const member = { name: "m", votes: true, leaves: false, removed: false };
const asked = { ...member, leaves: true };
const removed = { ...asked, removed: true };
const stay = (obstacle: string, withdraw: boolean): LeavePlan => ({ action: "stay", obstacle, withdraw });

it.each<[string, Parameters<typeof planLeave>[0], LeavePlan]>([
  ["goes without a member", { member: undefined, service: undefined, quorum: undefined }, { action: "go" }],
  ["goes once its member is removed", { member: removed, service: undefined, quorum: undefined }, { action: "go" }],
  ["goes, removed, whatever the others are", { member: removed, service: undefined, quorum: "q" }, { action: "go" }],
  ["asks", { member, service: undefined, quorum: undefined }, { action: "ask" }],
  ["waits for the servers", { member: asked, service: undefined, quorum: undefined }, { action: "wait" }],
  ["does not ask without a safe majority", { member, service: undefined, quorum: "q" }, stay("q", false)],
  ["takes back what the servers cannot do", { member: asked, service: undefined, quorum: "q" }, stay("q", true)],
  ["takes it back where nobody else serves", { member: asked, service: "s", quorum: undefined }, stay("s", true)],
  ["stays, removed, where nobody else serves", { member: removed, service: "s", quorum: undefined }, stay("s", false)],
  [
    "stays, without a member, where nobody else serves",
    { member: undefined, service: "s", quorum: "q" },
    stay("s", false),
  ],
])("a server that leaves %s", (_what, facts, expected) => {
  expect(planLeave(facts)).toEqual(expected);
});
