import { expect, it } from "vitest";
import { quorumObstacle } from "./quorum.ts";
import type { Server } from "./servers.ts";

/** `R` ready, `D` dead, `L` learns, `X` removed, `M` is being removed, `-` without a member. */
const server = (state: string): Server => {
  const ready = { type: "Ready", status: state === "D" ? "Unknown" : "True" };
  const node = { apiVersion: "v1", kind: "Node", metadata: {} };
  if (state === "-") return { node, ready };
  return {
    node,
    ready,
    member: { name: "m", votes: state !== "L", leaves: state === "M" || state === "X", removed: state === "X" },
  };
};

it.each([
  ["RRR", 0, undefined],
  ["RRD", 2, undefined],
  ["RRD", 0, "1 of 2 members would be healthy, 2 required"],
  ["RDD", 1, "1 of 2 members would be healthy, 2 required"],
  ["RR", 1, undefined],
  ["RD", 0, "0 of 1 members would be healthy, 1 required"],
  ["RRRRR", 0, undefined],
  ["RRRDD", 4, undefined],
  ["RRRDD", 0, "2 of 4 members would be healthy, 3 required"],
  ["RRL", 0, "has not finished joining"],
  ["RRX", 0, undefined],
  ["RRM", 0, "is being removed"],
  ["RRX", 2, undefined],
  ["-R", 0, undefined],
  ["RDD", 9, "1 of 3 members would be healthy, 2 required"],
])("of %s, number %i may go unless %s", (states, leaving, expected) => {
  const servers = new Map(states.split("").map((state, index) => [String(index), server(state)]));
  const obstacle = quorumObstacle(servers, String(leaving));
  if (expected === undefined) expect(obstacle).toBeUndefined();
  else expect(obstacle).toContain(expected);
});
