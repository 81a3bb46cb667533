import { expect, it } from "vitest";
import { TurnCosts } from "./turn-costs.ts";
import { Turn } from "./turn.ts";

const turnOf = (key: string): Turn => new Turn({ key, flow: "flow", of: "AcmeMachine" });

it("remembers what visits take of limits that are in use, and forgets those of resources that are gone", () => {
  const costs = new TurnCosts(() => undefined);
  const visit = (index: number): void => {
    const turn = turnOf(`${index}`);
    for (let call = 0; call < 5; call += 1) costs.note(turn, ["reads", `reads of machine ${index}`]);
    turn.end();
  };
  visit(0);
  expect(costs.expected(turnOf("a"), "reads of machine 0")).toBe(5);
  for (let index = 1; index < 1500; index += 1) visit(index);
  expect(costs.expected(turnOf("a"), "reads of machine 0")).toBe(2);
  expect(costs.expected(turnOf("a"), "reads")).toBe(5);
});
