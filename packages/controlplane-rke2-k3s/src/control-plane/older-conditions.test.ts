import { expect, it } from "vitest";
import type { Member } from "@capstan/kit/control-plane";
import { olderConditions } from "./older-conditions.ts";

/** `u` is up to date, `o` is not. */
const membersOf = (states: string): readonly Member[] =>
  states.split("").map((state) => ({ outdated: state === "o" ? ["old"] : [] }) as unknown as Member);

it.each([
  ["uuu", 3, "True UpToDate", "True Resized"],
  ["uoo", 3, "False RollingUpdateInProgress", "True Resized"],
  ["uu", 3, "True UpToDate", "False ScalingUp"],
  ["uuuo", 3, "False RollingUpdateInProgress", "False ScalingDown"],
])("of %s where %i are wanted", (states, wanted, upToDate, resized) => {
  const said = olderConditions(membersOf(states), wanted);
  expect(said.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
    `MachinesSpecUpToDate ${upToDate}`,
    `Resized ${resized}`,
  ]);
});
