import { describe, expect, it } from "vitest";
import type { ArmClient } from "../arm/arm-client.ts";
import type { ArmAnswer } from "../arm/arm-transport.ts";
import { resourceTypes } from "../arm/resource-id.ts";
import { commandOutput, startCommand } from "./run-command.ts";

const call = { signal: AbortSignal.timeout(10_000) };
const vm = { ...resourceTypes.virtualMachine, id: "/subscriptions/s/m" };

const answer = (status: number, body?: unknown, headers: ArmAnswer["headers"] = {}): ArmAnswer => ({
  status,
  headers,
  body,
});

const clientThat = (given: ArmAnswer, sent: unknown[] = []): ArmClient => ({
  send: async (method, path, request) => {
    sent.push({ method, path, body: request.body });
    return given;
  },
  find: async () => given,
  knows: (address) => address.startsWith("https://arm/"),
  follow: async () => given,
  read: async () => given,
  correlated: () => clientThat(given),
});

describe("a command inside a virtual machine", () => {
  it.each([
    ["Linux", "RunShellScript"],
    ["Windows", "RunPowerShellScript"],
  ] as const)("on %s is %s, and known by its address", async (os, commandId) => {
    const sent: unknown[] = [];
    const client = clientThat(answer(202, undefined, { location: "https://arm/x" }), sent);
    expect(await startCommand(client, vm, { os, lines: ["a", "b"] }, call)).toBe("https://arm/x");
    expect(sent).toEqual([{ method: "POST", path: `${vm.id}/runCommand`, body: { commandId, script: ["a", "b"] } }]);
  });

  it("whose answer names no address cannot be asked for", async () => {
    const started = startCommand(clientThat(answer(200, {})), vm, { os: "Linux", lines: [] }, call);
    await expect(started).rejects.toMatchObject({ code: "azure.unavailable" });
  });

  const message = "Enable succeeded: \n[stdout]\nout\n[stderr]\nerr";
  it.each([
    ["goes on", answer(202), { state: "running" }],
    ["is forgotten", answer(404), { state: "lost" }],
    [
      "has ended on Linux",
      answer(200, { value: [{ code: "ProvisioningState/succeeded", message }] }),
      { state: "ended", stdout: "out", stderr: "err" },
    ],
    [
      "has ended on Windows",
      answer(200, {
        value: [
          { code: "ComponentStatus/StdOut/succeeded", message: "out" },
          { code: "ComponentStatus/StdErr/succeeded", message: "" },
        ],
      }),
      { state: "ended", stdout: "out", stderr: "" },
    ],
    ["answers something else", answer(200, "?"), { state: "ended", stdout: "", stderr: "" }],
  ])("%s", async (_case, given, expected) => {
    expect(await commandOutput(clientThat(given), "https://arm/x", call)).toEqual(expected);
  });

  it("is lost where its address is not the endpoint's any more", async () => {
    expect(await commandOutput(clientThat(answer(200)), "https://elsewhere/x", call)).toEqual({ state: "lost" });
  });

  it("whose output is refused says so", async () => {
    await expect(commandOutput(clientThat(answer(409)), "https://arm/x", call)).rejects.toMatchObject({
      code: "azure.busy",
    });
  });
});
