import { describe, expect, it } from "vitest";
import type { Server } from "../cloud/acme-api.ts";
import { observation } from "./acme-machine.ts";
import { providerIDOf, serverIdOf } from "./provider-id.ts";

const server = (state: Server["state"]): Server => ({
  id: "7",
  name: "a",
  tag: "t",
  labels: [],
  address: "10.0.0.7",
  state,
});

describe("what is seen of a server", () => {
  it.each([
    ["provisioning", { state: "pending", reason: "Provisioning" }],
    ["booting", { state: "pending", reason: "Booting" }],
    ["running", { state: "present", addresses: [{ type: "InternalIP", address: "10.0.0.7" }] }],
    ["off", { state: "failed", reason: "Off" }],
    ["deleting", { state: "removing" }],
  ] as const)("%s", (state, expected) => {
    expect(observation(server(state))).toMatchObject({ handle: "7", providerID: "acme://7", ...expected });
  });

  it("nothing", () => {
    expect(observation(undefined)).toEqual({ state: "absent" });
  });
});

it("a provider id says which server, and of which cloud", () => {
  expect(serverIdOf(providerIDOf("7"))).toBe("7");
  expect(serverIdOf("other://7")).toBeUndefined();
  expect(serverIdOf(undefined)).toBeUndefined();
});
