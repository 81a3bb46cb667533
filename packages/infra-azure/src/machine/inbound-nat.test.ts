import { expect, it } from "vitest";
import { freePort, takenPorts } from "./inbound-nat.ts";

const all = Array.from({ length: 19 }, (_, index) => 2201 + index);

it.each([
  [[], 22],
  [[22], 2201],
  [[22, 2201, 2203], 2202],
  [[22, ...all.slice(0, -1)], 2219],
])("after %j comes %i", (taken, expected) => {
  expect(freePort(taken)).toBe(expected);
});

it("says that there is none left", () => {
  expect(() => freePort([22, ...all])).toThrow(/no port left for SSH/);
});

it("reads the ports of a load balancer", () => {
  const inboundNatRules = [{ name: "a", properties: { frontendPort: 22 } }, { name: "b" }];
  expect(takenPorts({ id: "/lb", properties: { inboundNatRules } })).toEqual([22]);
});
