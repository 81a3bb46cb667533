import { Secret, silentLogger } from "@capstan/contract";
import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { armClient } from "./arm-client.ts";
import type { TransportRequest } from "./arm-transport.ts";
import { armGate } from "./rate-gate.ts";

const opened = (versionOf?: (path: string, version: string) => string) => {
  const clock = fakeClock();
  const sent: TransportRequest[] = [];
  const client = armClient({
    endpoint: "https://management.example/",
    tokens: { token: async () => new Secret("token") },
    gate: armGate(clock),
    transport: async (request) => {
      sent.push(request);
      return { status: 200, headers: {}, body: {} };
    },
    clock,
    log: silentLogger,
    ...(versionOf && { versionOf }),
  });
  return { client, sent };
};
const call = { signal: new AbortController().signal };
const request = { doing: "read it", apiVersion: "2024-05-01" };

it("requests of one reconcile bear its correlation ID, also where an address is followed", async () => {
  const { client, sent } = opened();
  const one = client.correlated("one");
  await one.send("GET", "/subscriptions/s", request, call);
  await one.follow("https://management.example/next?page=2", "read it", call);
  await client.correlated("two").find("GET", "/subscriptions/s", request, call);
  await client.send("GET", "/subscriptions/s", request, call);
  expect(sent.map(({ headers }) => headers["x-ms-correlation-request-id"])).toEqual(["one", "one", "two", undefined]);
});

it("asks in the version of the resource, unless the cloud has another one", async () => {
  const plain = opened();
  await plain.client.send("GET", "/subscriptions/s", request, call);
  const older = opened((path, version) => (path === "/subscriptions/s" ? "2019-10-01" : version));
  await older.client.send("GET", "/subscriptions/s", request, call);
  await older.client.correlated("x").send("GET", "/subscriptions/t", request, call);
  const versions = [...plain.sent, ...older.sent].map(({ url }) => url.searchParams.get("api-version"));
  expect(versions).toEqual(["2024-05-01", "2019-10-01", "2024-05-01"]);
});

it.each(["@elsewhere.example/x", ".elsewhere.example/x", ":8443/x"])(
  "a path that would make another host of the endpoint is refused: %s",
  async (path) => {
    const { client, sent } = opened();
    await expect(client.find("GET", path, request, call)).rejects.toMatchObject({ code: "azure.invalid" });
    expect(sent).toEqual([]);
  },
);
