import { describe, expect, it } from "vitest";
import { quorumOf } from "@capstan/kit/control-plane";
import { defragObstacle, defragOrder, heirOf } from "./defrag-plan.ts";
import { type EtcdReport, isHealthy, nameOf, type ReportedMember } from "./etcd-report.ts";

const alarms: Readonly<Record<string, readonly string[]>> = { A: ["NOSPACE"], C: ["CORRUPT"] };

/** `L` leads, `M` follows, `D` is down, `A` is full, `C` is corrupt, `J` learns, `U` has not started. */
const memberOf = (state: string, index: number): ReportedMember => {
  const id = BigInt(index + 1);
  const status = { id, leader: 1n, version: "3.6.4", size: 1n, inUse: 1n, learner: state === "J", errors: [] };
  return {
    member: {
      id,
      name: state === "U" ? "" : `node-${index}`,
      hosts: [],
      learner: state === "J" || state === "U",
      alarms: alarms[state] ?? [],
    },
    server: { node: `node-${index}`, memberName: `node-${index}`, machine: undefined, isLeaving: false },
    status: state === "D" ? { failed: "no answer" } : status,
    isLeader: state === "L",
  };
};

const reportOf = (states: string): EtcdReport => {
  const members = states.split("").map(memberOf);
  const healthy = new Set(members.filter((each) => isHealthy(each)).map(({ member }) => member.id));
  return {
    members,
    quorum: quorumOf(
      members.map(({ member }) => member),
      healthy,
    ),
    summary: "",
  };
};

describe("defragmenting", () => {
  it.each([
    ["LMM", 1, undefined],
    ["LMM", 0, undefined],
    ["LMD", 1, "1 of 3 members would serve, 2 required"],
    ["LMD", 2, "does not answer"],
    ["LMMMM", 3, undefined],
    ["LMMDD", 1, "2 of 5 members would serve, 3 required"],
    ["LMMMD", 1, undefined],
    ["LM", 1, "1 of 2 members would serve, 2 required"],
    ["LMJ", 1, "has not finished joining"],
    ["LMMU", 1, "has not finished joining"],
    // All are full at once, as a rule, and defragmenting ends that.
    ["LMA", 2, undefined],
    ["LMA", 1, undefined],
    ["LAA", 1, undefined],
    ["LAC", 1, "1 of 3 members would serve"],
    ["LMC", 2, "it has the alarm CORRUPT"],
    ["L", 0, "--force"],
  ])("of %s, number %i may stand still unless %s", (states, index, expected) => {
    const report = reportOf(states);
    const obstacle = defragObstacle(report, report.members[index]!, { force: false });
    if (expected === undefined) expect(obstacle).toBeUndefined();
    else expect(obstacle).toContain(expected);
  });

  it("of one member needs to be forced", () => {
    const report = reportOf("L");
    expect(defragObstacle(report, report.members[0]!, { force: true })).toBeUndefined();
  });

  it("comes to the leader last, while another healthy member leads", () => {
    expect(defragOrder(reportOf("LMM")).map(nameOf)).toEqual(["node-1", "node-2", "node-0"]);
    expect(nameOf(heirOf(reportOf("LDM"))!)).toBe("node-2");
    expect(nameOf(heirOf(reportOf("LCA"))!)).toBe("node-2");
    expect(heirOf(reportOf("LDJ"))).toBeUndefined();
  });
});
