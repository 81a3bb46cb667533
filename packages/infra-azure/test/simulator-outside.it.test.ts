import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeAt } from "./cluster-machine.ts";
import { at, inEastUs, makeNetwork } from "./cluster-network.ts";
import { type SimulatedAzure, simulate } from "./simulation.ts";

let azure: SimulatedAzure;
beforeAll(async () => {
  azure = await simulate();
  await makeNetwork(azure);
});
afterAll(() => azure[Symbol.asyncDispose]());

const extensionIds = { keyUsage: "551d0f", authorityKeyIdentifier: "551d23" } as const;
const has = ({ raw }: X509Certificate, id: string): boolean => raw.toString("hex").includes(`0603${id}`);

describe("its certificates", () => {
  it("are of an authority that may sign, for the names that clients use", async () => {
    const { ca, url } = azure.simulator;
    const authority = new X509Certificate(ca);
    expect(authority.ca).toBe(true);
    expect(has(authority, extensionIds.keyUsage)).toBe(true);
    const socket = connect({ host: "localhost", port: Number(new URL(url).port), ca });
    const leaf = await new Promise<X509Certificate>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("secureConnect", () => resolve(socket.getPeerX509Certificate() as X509Certificate));
    });
    socket.destroy();
    expect(leaf.verify(authority.publicKey)).toBe(true);
    expect([leaf.ca, leaf.checkHost("localhost"), leaf.checkIP("127.0.0.1")]).toEqual([
      false,
      "localhost",
      "127.0.0.1",
    ]);
    expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(has(leaf, extensionIds.authorityKeyIdentifier)).toBe(true);
  });
});

describe("what needs a token", () => {
  it.each([
    "/subscriptions",
    "/tenants",
    "locations",
    "providers",
    "providers/Microsoft.Compute",
    "resources",
    "resourceGroups",
    "resourceGroups/demo/resources",
    "providers/Microsoft.Compute/skus",
    "providers/Microsoft.Compute/locations/eastus/usages",
    "providers/Microsoft.Authorization/roleDefinitions",
    "providers/Microsoft.Authorization/roleAssignments",
    "providers/Microsoft.Authorization/locks",
    ...[
      "Network/virtualNetworks",
      "Network/loadBalancers",
      "Network/bastionHosts",
      "Network/privateEndpoints",
      "Network/privateDnsZones",
      "Compute/virtualMachines",
      "Compute/virtualMachineScaleSets",
      "Compute/availabilitySets",
      "Compute/disks",
      "ManagedIdentity/userAssignedIdentities",
    ].flatMap((type) => [`providers/Microsoft.${type}`, `resourceGroups/demo/providers/Microsoft.${type}`]),
  ])("%s", async (path) => {
    expect((await azure.call("GET", path, { token: "x" })).status).toBe(401);
    const answer = await azure.call("GET", path);
    expect([answer.status, Array.isArray(answer.body.value ?? answer.body.resourceTypes)]).toEqual([200, true]);
  });
});

it("changes the tags of everything by PATCH", async () => {
  for (const path of [at("virtualNetworks/demo-vnet"), at("loadBalancers/demo-lb"), at("natGateways/demo-natgw")]) {
    expect(await azure.call("PATCH", path, { body: { tags: { a: "b" } } })).toMatchObject({
      status: 200,
      body: { tags: { a: "b" } },
    });
  }
});

it("answers the deletion of what is not there, with and without its group", async () => {
  const nothing = computeAt("disks/none");
  expect((await azure.call("DELETE", nothing)).status).toBe(204);
  expect(await azure.call("DELETE", nothing.replace("/demo/", "/none/"))).toMatchObject({
    status: 404,
    body: { error: { code: "ResourceGroupNotFound" } },
  });
});

it("ends the Location of a disk with the disk, and asks for results with monitor", async () => {
  const body = inEastUs({ creationData: { createOption: "Empty" }, diskSizeGB: 4 }, { sku: { name: "Premium_LRS" } });
  const made = await azure.call("PUT", computeAt("disks/mine"), { body });
  const location = made.headers["location"] as string;
  expect([made.status, location.includes("monitor=true")]).toEqual([202, true]);
  expect((await azure.call("GET", location)).status).toBe(202);
  await azure.clock.advance(200);
  expect(await azure.call("GET", location)).toMatchObject({ status: 200, body: { name: "mine" } });
});

describe("the control interface, without a token", () => {
  const bare = { token: "", headers: { authorization: "" } };
  const control = (method: string, path: string, body?: unknown) =>
    azure.call(method, `/_simulator/${path}`, body === undefined ? bare : { ...bare, body });

  it("shows requests to the resource manager from now on, with bodies as they were sent", async () => {
    const { next } = (await control("GET", "requests?since=latest")).body;
    const body = { location: "eastus", tags: { a: "b" } };
    await azure.call("PUT", "resourceGroups/seen", { body, headers: { "user-agent": "outside/1" } });
    const { items } = (await control("GET", `requests?since=${next}`)).body;
    expect(items).toMatchObject([
      {
        method: "PUT",
        path: expect.stringMatching(/\/resourceGroups\/seen$/) as string,
        query: expect.stringContaining("api-version=") as string,
        status: 201,
        userAgent: "outside/1",
        body,
      },
    ]);
  });

  it.each([
    [{ kind: "status", status: 409, code: "Busy", message: "wait", headers: { "retry-after": "7" } }, 409],
    [{ kind: "delay", ms: 0 }, 204],
  ])("plans %j", async (action, status) => {
    const fault = { method: "DELETE", path: "/DISKS/none", nth: 2, times: 1, action };
    expect((await control("POST", "faults", fault)).status).toBe(201);
    const remove = () => azure.call("DELETE", computeAt("disks/none"));
    expect([(await remove()).status, (await remove()).status, (await remove()).status]).toEqual([204, status, 204]);
  });

  it.each([{ kind: "reset" }, { kind: "lost-answer" }])("breaks connections as planned: %j", async (action) => {
    await control("POST", "faults", { method: "PUT", path: "resourcegroups/broken", action });
    await expect(azure.call("PUT", "resourceGroups/broken", { body: { location: "eastus" } })).rejects.toThrow();
    const there = (await azure.call("HEAD", "resourceGroups/broken")).status;
    expect(there).toBe(action.kind === "reset" ? 404 : 204);
  });

  it("limits requests until that is ended", async () => {
    expect((await control("PUT", "throttle", { deletesPerSecond: 1 })).status).toBe(200);
    const remove = () => azure.call("DELETE", computeAt("disks/none"));
    const answers = [await remove(), await remove(), await remove()];
    expect(answers.at(-1)).toMatchObject({
      status: 429,
      headers: { "retry-after": expect.stringMatching(/^\d+$/) as string },
    });
    expect((await control("PUT", "throttle", {})).status).toBe(200);
    expect((await remove()).status).toBe(204);
  });
});
