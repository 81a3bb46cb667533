import { expect, it } from "vitest";
import { GuestPlans } from "./guest-plans.ts";

it("puts together what fits a machine, the later plan counting", () => {
  const plans = new GuestPlans();
  plans.add({ console: "all", bootstrapSeconds: 1 });
  plans.add({ machine: "WEB", bootstrapSeconds: 2 });
  plans.add({ machine: "db", boot: "never" });
  plans.add({ group: "Blue", agent: "missing" });
  expect(plans.for({ name: "web", group: "" })).toEqual({ console: "all", bootstrapSeconds: 2, machine: "WEB" });
  expect(plans.for({ name: "db", group: "blue" })).toMatchObject({ boot: "never", agent: "missing" });
});

it("takes plans away by group, or all", () => {
  const plans = new GuestPlans();
  plans.add({ group: "blue", boot: "never" });
  plans.add({ boot: "never" });
  plans.clear("BLUE");
  expect(plans.all).toEqual([{ boot: "never" }]);
  plans.clear();
  expect(plans.all).toEqual([]);
});
