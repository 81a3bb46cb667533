import { Secret, silentLogger } from "@capstan/contract";
import { type FakeClock, fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resourceRef, resourceTypes } from "../src/arm/resource-id.ts";
import type { AzureApi } from "../src/cloud/azure-api.ts";
import { groupRef } from "../src/cloud/azure-api.ts";
import type { Connect } from "../src/cloud/connections.ts";
import { connections } from "../src/cloud/connections.ts";
import { type AzureSimulator, createAzureSimulator, issueToken } from "@capstan/sim-azure";

const call = { signal: AbortSignal.timeout(120_000) };
const owner = { clientId: "1", objectId: "11", clientSecret: "s", role: "Owner" } as const;
const other = { clientId: "2", objectId: "22", clientSecret: "s", role: "Owner" } as const;

let azure: { readonly simulator: AzureSimulator; readonly clock: FakeClock };
let connect: Connect;
beforeEach(async () => {
  const clock = fakeClock();
  const simulator = await createAzureSimulator({ clock, random: seededRandom(1), principals: [owner, other] });
  await simulator.start();
  azure = { simulator, clock };
  connect = open();
});
afterEach(() => azure.simulator.stop());

/** As a process that starts over. */
const open = (): Connect => {
  const { simulator, clock } = azure;
  const options = { endpoint: simulator.url, ca: simulator.ca };
  return connections(options, { clock, random: seededRandom(1), log: silentLogger });
};

const as = ({ clientId, objectId }: typeof owner | typeof other, by = connect): AzureApi => {
  const { state, tenantId, url, subscriptionId } = azure.simulator;
  const claims = { aud: url, iss: url, tid: tenantId, appid: clientId, oid: objectId, nbf: 0, exp: 1e11 };
  const principal = { type: "Token", token: new Secret(issueToken(claims, state.key)) } as const;
  return by({ environment: "AzurePublicCloud", subscription: subscriptionId, principal });
};

const group = () => groupRef(azure.simulator.subscriptionId, "demo");
const network = () =>
  resourceRef({ subscription: azure.simulator.subscriptionId, group: "demo" }, resourceTypes.virtualNetwork, "net");
const body = { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } };

const made = async (api: AzureApi): Promise<void> => {
  await api.put(group(), { location: "eastus" }, call);
  await api.put(network(), body, call);
  await azure.clock.advance(1000);
};

describe("resources", () => {
  it("keep the fields that nobody here knows", async () => {
    const api = as(owner);
    await made(api);
    expect(await api.find(network(), call)).toMatchObject({
      properties: { resourceGuid: expect.any(String) as string, addressSpace: { addressPrefixes: ["10.0.0.0/8"] } },
    });
  });

  it("are changed only as they were read, and made only where nothing is", async () => {
    const api = as(owner);
    await made(api);
    const present = await api.find(network(), call);
    await as(other).put(network(), { ...body, tags: { by: "other" } }, call);
    await azure.clock.advance(1000);
    const changed = { code: "azure.changed", retry: { kind: "backoff" } };
    await expect(api.put(network(), body, call, { present })).rejects.toMatchObject(changed);
    await expect(api.put(network(), body, call, { present: undefined })).rejects.toMatchObject(changed);
    expect((await as(other).find(network(), call))?.tags).toEqual({ by: "other" });
  });

  it("are listed over all pages; a page that is refused says when to come back", async () => {
    const api = as(owner);
    const all = await api.skus("eastus", call);
    expect(all.length).toBeGreaterThan(100);
    const { faults } = azure.simulator;
    const action = { kind: "status", status: 429, headers: { "retry-after": "17" } } as const;
    faults.add({ path: /\/skus$/i, nth: 2, action });
    await expect(as(other).skus("eastus", call)).rejects.toMatchObject({
      code: "azure.rate_limited",
      retry: { kind: "after", ms: 17_000 },
    });
  });
});

describe("operations", () => {
  it("are asked about by another process, from what the one before has saved", async () => {
    const api = as(owner);
    await api.put(group(), { location: "eastus" }, call);
    const handle = (await api.put(network(), body, call)) ?? "";
    expect(handle).not.toBe("");
    const later = as(owner, open());
    const now = azure.clock.now();
    expect(await later.poll(handle, { call, now })).toMatchObject({ state: "running" });
    await azure.clock.advance(1000);
    expect(await later.poll(handle, { call, now })).toEqual({ state: "succeeded" });
  });

  it("whose address is not the endpoint's any more are known by the resource", async () => {
    const api = as(owner);
    await made(api);
    const saved = JSON.parse((await api.remove(network(), call)) ?? "") as Readonly<Record<string, unknown>>;
    const handle = JSON.stringify({ ...saved, address: "https://management.elsewhere.example/operations/1" });
    await azure.clock.advance(1000);
    expect(await api.poll(handle, { call, now: azure.clock.now() })).toEqual({ state: "succeeded" });
  });
});

it("a principal whose secret is replaced acts by the new one", async () => {
  const { simulator } = azure;
  const { subscriptionId: subscription, tenantId: tenant, url } = simulator;
  const { clock } = azure;
  const options = { endpoint: url, authority: url, audience: url, ca: simulator.ca };
  const by = connections(options, { clock, random: seededRandom(1), log: silentLogger });
  const withSecret = (secret: string) =>
    by({
      environment: "AzurePublicCloud",
      subscription,
      principal: { type: "ClientSecret", tenant, client: owner.clientId, secret: new Secret(secret) },
    });
  await expect(withSecret("old").find(group(), call)).rejects.toMatchObject({ code: "azure.unauthorized" });
  expect(await withSecret(owner.clientSecret).find(group(), call)).toBeUndefined();
});

it("a token that is refused before it ends is asked for anew, once, and the call is made with it", async () => {
  const { clock, simulator } = azure;
  const { subscriptionId: subscription, tenantId: tenant, url } = simulator;
  const options = { endpoint: url, authority: url, audience: url, ca: simulator.ca };
  const by = connections(options, { clock, random: seededRandom(1), log: silentLogger });
  const secret = new Secret(owner.clientSecret);
  const principal = { type: "ClientSecret", tenant, client: owner.clientId, secret } as const;
  const api = by({ environment: "AzurePublicCloud", subscription, principal });
  await api.put(group(), { location: "eastus" }, call);
  simulator.state.key = "another one: all tokens from before are void";
  const before = simulator.requests.log.length;
  await api.put(group(), { location: "eastus", tags: { a: "b" } }, call);
  expect(simulator.requests.log.slice(before).map(({ status }) => status)).toEqual([401, 200]);
  await clock.advance(2000);
  simulator.faults.add({ path: /demo$/, times: 2, action: { kind: "status", status: 401 } });
  const again = by({ environment: "AzurePublicCloud", subscription, principal });
  await expect(again.find(group(), call)).rejects.toMatchObject({ code: "azure.unauthorized" });
  await clock.advance(500);
  const found = again.find(group(), call);
  await clock.advance(500);
  expect(await found).toMatchObject({ tags: { a: "b" } });
});

describe("the budget of calls", () => {
  const throttle = (retryAfter: string) =>
    azure.simulator.faults.add({
      method: "GET",
      action: { kind: "status", status: 429, headers: { "retry-after": retryAfter } },
    });

  it("is one for all who act as a principal in a subscription, and another one for others", async () => {
    const api = as(owner);
    await api.put(group(), { location: "eastus" }, call);
    throttle("20");
    await expect(api.find(group(), call)).rejects.toMatchObject({ retry: { kind: "after", ms: 20_000 } });
    const { requests } = azure.simulator;
    const before = requests.next;
    await azure.clock.advance(5000);
    await expect(as(owner).find(group(), call)).rejects.toMatchObject({
      code: "azure.rate_limited",
      retry: { kind: "after", ms: 15_000 },
    });
    expect(requests.next, "nothing was asked").toBe(before);
    expect(await as(other).find(group(), call)).toBeDefined();
    await as(owner).put(group(), { location: "eastus" }, call);
    await azure.clock.advance(15_000);
    expect(await as(owner).find(group(), call)).toBeDefined();
  });

  it("is never overdrawn by those who wait: Azure refuses nothing, and nobody is sent away", async () => {
    await as(owner).put(group(), { location: "eastus" }, call);
    const place = { subscription: azure.simulator.subscriptionId, group: "demo" };
    // Of such a type each is read by itself.
    const all = Array.from({ length: 400 }, (_, each) => resourceRef(place, resourceTypes.bastionHost, `host-${each}`));
    const looks = all.map((ref) => as(owner).find(ref, call));
    await azure.clock.advanceUntil(() => azure.simulator.requests.log.length > 400);
    expect(new Set(await Promise.all(looks))).toEqual(new Set([undefined]));
    expect(azure.simulator.requests.log.filter(({ status }) => status === 429)).toEqual([]);
  });

  it("is asked of again, by one who keeps what he has seen, when Azure refuses for a moment", async () => {
    await as(owner).put(group(), { location: "eastus" }, call);
    throttle("2");
    const found = as(owner).find(group(), call);
    await azure.clock.advanceUntil(() => azure.simulator.requests.log.some(({ status }) => status === 200));
    expect(await found).toBeDefined();
    expect(azure.simulator.requests.log.map(({ status }) => status)).toEqual([201, 429, 200]);
  });
});
