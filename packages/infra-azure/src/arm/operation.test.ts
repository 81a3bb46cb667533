import { describe, expect, it } from "vitest";
import type { ArmClient } from "./arm-client.ts";
import { operationHandle, operationOf, pollOperation, waitOfHandle } from "./operation.ts";
import type { ArmAnswer } from "./arm-transport.ts";

const call = { method: "PUT", path: "/subscriptions/s/x/y", apiVersion: "1" } as const;
const options = { call: { signal: AbortSignal.timeout(10_000) }, now: 0 };

const answer = (status: number, headers: ArmAnswer["headers"] = {}, body?: unknown): ArmAnswer => ({
  status,
  headers,
  body,
});

describe("what goes on after an answer", () => {
  it.each([
    [call, answer(201, { "azure-asyncoperation": "https://a" }), { by: "operation", address: "https://a" }],
    [
      { ...call, method: "DELETE" as const },
      answer(202, { location: "https://l" }),
      { by: "location", address: "https://l" },
    ],
    [call, answer(200, {}, { properties: { provisioningState: "Updating" } }), { by: "resource" }],
    [call, answer(201, {}, { properties: { provisioningState: "Succeeded" } }), undefined],
    [call, answer(200, {}, { id: "x" }), undefined],
    [{ ...call, method: "DELETE" as const }, answer(204), undefined],
    [call, answer(200, { location: "https://elsewhere" }, {}), undefined],
  ])("%j %j", (made, given, expected) => {
    const found = operationOf(made, given);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });
});

const clientThat = (given: ArmAnswer): ArmClient => ({
  send: async () => given,
  find: async () => (given.status === 404 ? undefined : given),
  knows: (address) => !address.startsWith("https://elsewhere"),
  follow: async () => given,
  read: async () => given,
  correlated: () => clientThat(given),
});

const byOperation = operationHandle({ ...call, by: "operation", address: "https://a" });
const byLocation = operationHandle({ ...call, by: "location", address: "https://l" });
const byResource = operationHandle({ ...call, by: "resource" });
const elsewhere = operationHandle({ ...call, by: "operation", address: "https://elsewhere/x" });

describe("what has become of it", () => {
  it.each([
    [byOperation, answer(200, { "retry-after": "7" }, { status: "InProgress" }), { state: "running", pollMs: 7000 }],
    [byOperation, answer(202, {}, { status: "SomethingElse" }), { state: "running" }],
    [byOperation, answer(200, {}, { status: "Succeeded" }), { state: "succeeded" }],
    [
      byOperation,
      answer(200, {}, { status: "Failed", error: { code: "ZonalAllocationFailed", message: "full" } }),
      {
        state: "failed",
        reason: "CapacityMissing",
        message: "could not make x y: full (ZonalAllocationFailed); wait, or choose another zone or size",
      },
    ],
    [byOperation, answer(200, {}, { status: "Canceled" }), { state: "failed" }],
    [byOperation, answer(404), { state: "lost" }],
    [byOperation, answer(503), { state: "running" }],
    [byLocation, answer(202), { state: "running" }],
    [byLocation, answer(204), { state: "succeeded" }],
    [
      byLocation,
      answer(409, {}, { error: { code: "ScopeLocked", message: "m" } }),
      { state: "failed", reason: "ScopeLocked" },
    ],
    [byResource, answer(200, {}, { properties: { provisioningState: "Updating" } }), { state: "running" }],
    [byResource, answer(200, {}, { properties: { provisioningState: "Succeeded" } }), { state: "succeeded" }],
    [byResource, answer(200, {}, { properties: { provisioningState: "Failed" } }), { state: "failed" }],
    [byResource, answer(404), { state: "lost" }],
    [byOperation, answer(409), { state: "lost" }],
    [elsewhere, answer(200, {}, { properties: { provisioningState: "Succeeded" } }), { state: "succeeded" }],
    [elsewhere, answer(404), { state: "lost" }],
    ["what somebody else wrote", answer(200), { state: "lost" }],
    ['{"by":"operation"}', answer(200), { state: "lost" }],
    [byResource.replace(/"path":"[^"]*"/, '"path":"@elsewhere.example/x"'), answer(200), { state: "lost" }],
  ])("%s %j", async (handle, given, expected) => {
    expect(await pollOperation(clientThat(given), handle, options)).toMatchObject(expected);
  });

  it("fails for who may not ask", async () => {
    await expect(pollOperation(clientThat(answer(403)), byOperation, options)).rejects.toMatchObject({
      code: "azure.forbidden",
    });
  });
});

describe("the first question about an operation", () => {
  const made = (path: string, retryAfter: string | undefined) => {
    const headers = {
      "azure-asyncoperation": "https://a",
      ...(retryAfter !== undefined && { "retry-after": retryAfter }),
    };
    return operationHandle(operationOf({ method: "PUT", path, apiVersion: "1" }, { status: 201, headers, body: {} })!);
  };

  it.each([
    ["of a part of a network", "/x/virtualNetworks/n", "10", 5000],
    ["of a machine", "/x/virtualMachines/m", "30", 10_000],
    ["of what takes less", "/x/virtualMachines/m", "3", 3000],
    ["of what takes a second", "/x/virtualNetworks/n", "1", 0],
    ["where nothing is said", "/x/virtualNetworks/n", undefined, 0],
    ["where no number is said", "/x/virtualNetworks/n", "Wed, 21 Oct 2026 07:28:00 GMT", 0],
  ])("waits as Azure said, within limits: %s", (_, path, retryAfter, ms) =>
    expect(waitOfHandle(made(path, retryAfter))).toBe(ms),
  );

  it("waits for no time that somebody else wrote", () =>
    expect(waitOfHandle(made("/x/y/z", "3").replace("3000", "9999999"))).toBe(0));
});
