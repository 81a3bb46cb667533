import { expect, it } from "vitest";
import { interfaceName, vmNameOf } from "./machine-names.ts";

it.each([
  ["a-very-long-machine-name", "Linux", "a-very-long-machine-name"],
  ["short", "Windows", "short"],
  ["worker-pool-abcde-12345", "Windows", "worker-po-12345"],
  ["worker12-pool-abcde", "Windows", "worker12-abcde"],
])("calls %s with %s %s", (name, os, expected) => {
  expect(vmNameOf(name, os)).toBe(expected);
});

it("numbers interfaces where there are several", () => {
  expect([interfaceName("m", 0, 1), interfaceName("m", 0, 2), interfaceName("m", 1, 2)]).toEqual([
    "m-nic",
    "m-nic-0",
    "m-nic-1",
  ]);
});
