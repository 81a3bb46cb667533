import { expect, it } from "vitest";
import { isWithin, parseId, resourceId, same } from "./resource-id.ts";

const subnet = resourceId("s", "g", "Microsoft.Network/virtualNetworks/subnets", ["v", "x"]);

it("writes and reads IDs of resources and of their children", () => {
  expect(subnet).toBe("/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/x");
  expect(parseId(subnet)).toEqual({
    subscription: "s",
    group: "g",
    type: "Microsoft.Network/virtualNetworks/subnets",
    names: ["v", "x"],
  });
});

it.each(["", "/subscriptions/s", "/subscriptions/s/resourceGroups/g/providers/N/t", `${subnet}/`, `${subnet}/more`])(
  "reads no ID in %j",
  (text) => expect(parseId(text)).toBeUndefined(),
);

it("compares without the letter case, and by whole segments", () => {
  expect(same(subnet, subnet.toUpperCase())).toBe(true);
  expect(isWithin(subnet, "/SUBSCRIPTIONS/s/resourcegroups/G")).toBe(true);
  expect(isWithin("/subscriptions/s/resourceGroups/group", "/subscriptions/s/resourceGroups/g")).toBe(false);
});
