import { ClientSecretCredential } from "@azure/identity";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeAt, makeVm, vmAt, vmBody } from "./cluster-machine.ts";
import { at, idOf, inEastUs, makeNetwork, networkCard } from "./cluster-network.ts";
import { type SimulatedAzure, simulate } from "./simulation.ts";

let azure: SimulatedAzure;
beforeAll(async () => {
  azure = await simulate({ delays: { principalMs: 1000 } });
  await makeNetwork(azure);
});
afterAll(() => azure[Symbol.asyncDispose]());

const codeOf = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await azure.call(method, path, body === undefined ? {} : { body });
  return answer.body.error?.code ?? answer.status;
};

it("takes tokens that @azure/identity gets", async () => {
  const { tenantId, url, ca, principals } = azure.simulator;
  const [owner] = principals;
  const credential = new ClientSecretCredential(tenantId, owner?.clientId ?? "", owner?.clientSecret ?? "", {
    authorityHost: url,
    disableInstanceDiscovery: true,
    tlsOptions: { ca },
  });
  const { token } = (await credential.getToken(`${url}/.default`)) ?? {};
  expect((await azure.call("GET", "/subscriptions", { token: token ?? "" })).status).toBe(200);
  const wrong = new ClientSecretCredential(tenantId, owner?.clientId ?? "", "wrong", {
    authorityHost: url,
    disableInstanceDiscovery: true,
    tlsOptions: { ca },
  });
  await expect(wrong.getToken(`${url}/.default`)).rejects.toThrow("AADSTS7000215");
  expect(azure.simulator.login.requests.violations).toEqual([]);
});

describe("tags", () => {
  const tags = (scope: string) => `${scope}/providers/Microsoft.Resources/tags/default`;
  const patch = (operation: string, given: object) => ({ operation, properties: { tags: given } });

  it("are merged, deleted and replaced, for groups and resources", async () => {
    const path = tags(at("routeTables/demo-routes"));
    const change = async (operation: string, given: object) =>
      (await azure.call("PATCH", path, { body: patch(operation, given) })).body.properties.tags as unknown;
    expect(await change("Merge", { a: "1", B: "2" })).toEqual({ a: "1", B: "2" });
    expect(await change("Merge", { A: "3", c: "4" })).toEqual({ a: "3", B: "2", c: "4" });
    expect(await change("Delete", { b: "2", c: "other" })).toEqual({ a: "3", c: "4" });
    expect(await change("Replace", { z: "1" })).toEqual({ z: "1" });
    expect((await azure.call("GET", at("routeTables/demo-routes"))).body.tags).toEqual({ z: "1" });
    const group = `/${tags(`subscriptions/${azure.simulator.subscriptionId}/resourcegroups/demo`)}`;
    expect((await azure.call("PUT", `/${group}`, { body: { properties: { tags: { x: "y" } } } })).status).toBe(200);
    expect((await azure.call("GET", group)).body).toMatchObject({ properties: { tags: { x: "y" } } });
    expect((await azure.call("GET", "resourceGroups/demo")).body.tags).toEqual({ x: "y" });
  });

  it("are of something that is there, and not too many", async () => {
    expect(await codeOf("GET", tags(at("routeTables/none")))).toBe("ResourceNotFound");
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`t${index}`, ""]));
    expect(await codeOf("PATCH", tags(at("routeTables/demo-routes")), patch("Merge", many))).toBe("TooManyTags");
  });
});

describe("role assignments", () => {
  const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
  const name = "33333333-3333-3333-3333-333333333333";
  const assignment = (principalId: string, role = contributor) => ({
    properties: {
      principalId,
      principalType: "ServicePrincipal",
      roleDefinitionId: `/subscriptions/${azure.simulator.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    },
  });
  const path = (id = name) => `providers/Microsoft.Authorization/roleAssignments/${id}`;

  it("are given to identities that are known, once", async () => {
    const identity = "resourceGroups/demo/providers/Microsoft.ManagedIdentity/userAssignedIdentities/nodes";
    const { body } = await azure.call("PUT", identity, { body: { location: "eastus" } });
    const { principalId, clientId } = body.properties as { principalId: string; clientId: string };
    expect([principalId, clientId]).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    expect(await codeOf("PUT", path(), assignment(principalId))).toBe("PrincipalNotFound");
    await azure.clock.advance(1000);
    expect(await codeOf("PUT", path("x"), assignment(principalId))).toBe("InvalidRoleAssignmentId");
    expect(await codeOf("PUT", path(), assignment(principalId, "none"))).toBe("RoleDefinitionDoesNotExist");
    // A scope may end with a slash.
    expect(
      await codeOf("PUT", `/subscriptions/${azure.simulator.subscriptionId}//${path()}`, assignment(principalId)),
    ).toBe(201);
    expect(await codeOf("PUT", path(), assignment(principalId))).toBe(200);
    const other = "44444444-4444-4444-4444-444444444444";
    expect(await codeOf("PUT", path(other), assignment(principalId))).toBe("RoleAssignmentExists");
    const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
    expect(await codeOf("PUT", path(), assignment(principalId, reader))).toBe("RoleAssignmentExists");
    const list = await azure.call(
      "GET",
      `providers/Microsoft.Authorization/roleAssignments?$filter=${encodeURIComponent(`principalId eq '${principalId}'`)}`,
    );
    expect(list.body.value).toMatchObject([{ name, properties: { principalId } }]);
    const roles = await azure.call(
      "GET",
      `providers/Microsoft.Authorization/roleDefinitions?$filter=${encodeURIComponent("roleName eq 'Contributor'")}`,
    );
    expect(roles.body.value).toMatchObject([{ name: contributor }]);
    expect(await codeOf("DELETE", path())).toBe(200);
    expect(await codeOf("DELETE", path())).toBe(204);
  });

  it("go to the identity that a machine gets of its own, and to those that it is given", async () => {
    const user = `/subscriptions/${azure.simulator.subscriptionId}/resourceGroups/demo/providers/Microsoft.ManagedIdentity/userAssignedIdentities/nodes`;
    await azure.call("PUT", user, { body: { location: "eastus" } });
    const identity = { type: "SystemAssigned, UserAssigned", userAssignedIdentities: { [user]: {} } };
    expect(await makeVm(azure, "own", { outer: { identity } })).toMatchObject({ body: { status: "Succeeded" } });
    const { body } = await azure.call("GET", vmAt("own"));
    expect(body.identity).toMatchObject({
      principalId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      userAssignedIdentities: { [user]: { clientId: expect.any(String) as string } },
    });
    await azure.clock.advance(1000);
    expect(
      await codeOf(
        "PUT",
        path("44444444-4444-4444-4444-444444444444"),
        assignment(body.identity.principalId as string),
      ),
    ).toBe(201);
  });
});

it("locks keep what they hold", async () => {
  const lock = (scope: string) => `${scope}/providers/Microsoft.Authorization/locks/keep`;
  const table = at("routeTables/locked");
  await azure.settle("PUT", table, { body: inEastUs({}) });
  expect(await codeOf("PUT", lock(table), { properties: { level: "CanNotDelete", notes: "mine" } })).toBe(201);
  expect(await codeOf("DELETE", table)).toBe("ScopeLocked");
  expect(await codeOf("DELETE", "resourceGroups/demo")).toBe("ScopeLocked");
  expect(await codeOf("PUT", table, inEastUs({}))).toBe(200);
  await azure.clock.advance(100);
  expect(await codeOf("PUT", lock(table), { properties: { level: "ReadOnly" } })).toBe(200);
  expect(await codeOf("PUT", table, inEastUs({}))).toBe("ScopeLocked");
  expect(
    (await azure.call("GET", "resourceGroups/demo/providers/Microsoft.Authorization/locks")).body.value,
  ).toHaveLength(1);
  expect(await codeOf("DELETE", lock(table))).toBe(200);
  expect(await codeOf("DELETE", table)).toBe(202);
});

it("policies deny what they do not allow", async () => {
  await using strict = await simulate({
    policies: [
      { name: "tagged", types: ["Microsoft.Network/routeTables"], requiredTags: ["owner"] },
      { name: "near", locations: ["westus2"] },
    ],
  });
  await strict.call("PUT", "resourceGroups/demo", { body: { location: "eastus" } });
  const put = (location: string, tags?: object) =>
    strict.call("PUT", at("routeTables/r"), { body: { location, tags, properties: {} } });
  expect(await put("westus2")).toMatchObject({
    status: 403,
    body: { error: { code: "RequestDisallowedByPolicy", message: expect.stringContaining("tagged") as string } },
  });
  expect(await put("eastus", { owner: "me" })).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining("near") as string } },
  });
  expect((await put("westus2", { owner: "me" })).status).toBe(201);
});

describe("private DNS", () => {
  const zone = at("privateDnsZones/demo.capz.io");
  const link = `${zone}/virtualNetworkLinks/demo-vnet-link`;
  const global = (properties: object) => ({ location: "global", properties });

  it("has zones, links and records", async () => {
    expect(await codeOf("PUT", zone, { location: "eastus", properties: {} })).toBe(
      "LocationNotAvailableForResourceType",
    );
    const made = await azure.call("PUT", zone, { body: global({}) });
    expect([made.status, made.body]).toEqual([202, {}]);
    const status = made.headers["azure-asyncoperation"] as string;
    expect(status).toContain("/resourceGroups/demo/providers/Microsoft.Network/privateDnsOperationStatuses/");
    expect(await azure.call("GET", status)).toMatchObject({ status: 202, body: { status: "InProgress" } });
    await azure.clock.advance(100);
    expect(await azure.call("GET", status)).toMatchObject({ status: 200, body: { status: "Succeeded" } });
    const network = { id: idOf(azure, "virtualNetworks/demo-vnet") };
    const body = global({ virtualNetwork: network, registrationEnabled: false });
    expect(await azure.settle("PUT", link, { body })).toMatchObject({ body: { status: "Succeeded" } });
    expect((await azure.call("GET", link)).body).toMatchObject({
      properties: { virtualNetworkLinkState: "Completed", virtualNetwork: network },
    });
    const record = { properties: { ttl: 300, aRecords: [{ ipv4Address: "10.0.0.100" }] } };
    expect(await codeOf("PUT", `${zone}/A/apiserver`, record)).toBe(201);
    expect(await codeOf("PUT", `${zone}/A/apiserver`, record)).toBe(200);
    expect((await azure.call("GET", `${zone}/A/apiserver`)).body).toMatchObject({
      properties: { fqdn: "apiserver.demo.capz.io.", aRecords: [{ ipv4Address: "10.0.0.100" }] },
    });
    expect(await codeOf("PUT", at("privateDnsZones/none.io/A/apiserver"), record)).toBe("ParentResourceNotFound");
    expect(await codeOf("DELETE", zone)).toBe("CannotDeleteResource");
    expect(await azure.settle("DELETE", link)).toMatchObject({ body: { status: "Succeeded" } });
    expect(await azure.settle("DELETE", zone)).toMatchObject({ body: { status: "Succeeded" } });
    expect(await codeOf("GET", `${zone}/A/apiserver`)).toBe("ParentResourceNotFound");
  });
});

describe("what there is to be had", () => {
  interface Sku {
    readonly resourceType: string;
    readonly name: string;
    readonly locations: readonly string[];
    readonly capabilities: readonly { readonly name: string; readonly value: string }[];
    readonly restrictions: readonly { readonly type: string }[];
  }

  it("is listed by pages, with capabilities and restrictions", async () => {
    const all: Sku[] = [];
    let next: string | undefined =
      `providers/Microsoft.Compute/skus?$filter=${encodeURIComponent("location eq 'eastus'")}`;
    let pages = 0;
    for (; next !== undefined; pages += 1) {
      const { body } = await azure.call("GET", next);
      all.push(...(body.value as Sku[]));
      next = body.nextLink as string | undefined;
    }
    expect(pages).toBeGreaterThan(1);
    expect(new Set(all.flatMap(({ locations }) => locations))).toEqual(new Set(["eastus"]));
    const named = (name: string) => all.find((sku) => sku.name === name);
    const valueOf = (name: string, capability: string) =>
      named(name)?.capabilities.find((each) => each.name === capability)?.value;
    expect([valueOf("Standard_D2s_v3", "vCPUs"), valueOf("Standard_D2s_v3", "MemoryGB")]).toEqual(["2", "8"]);
    expect(valueOf("Standard_D4ps_v5", "CpuArchitectureType")).toBe("Arm64");
    expect(named("Standard_NC24ads_A100_v4")?.restrictions).toMatchObject([{ type: "Location" }]);
    expect(valueOf("Aligned", "MaximumPlatformFaultDomainCount")).toBe("3");
    expect(await codeOf("GET", "providers/Microsoft.Compute/skus?$filter=name")).toBe("InvalidFilter");
  });

  it("in the subscription, in a group, of a type", async () => {
    const count = async (path: string) => (await azure.call("GET", path)).body.value.length as number;
    const types = encodeURIComponent("resourceType eq 'Microsoft.Network/loadBalancers'");
    expect(await count(`resources?$filter=${types}`)).toBe(1);
    expect(await count("resourceGroups/demo/resources")).toBeGreaterThan(5);
    expect(await count("providers/Microsoft.Network/virtualNetworks")).toBe(1);
    expect(await count(at("virtualNetworks"))).toBe(1);
    expect(await count(at("virtualNetworks/demo-vnet/subnets"))).toBe(2);
    expect(await count("providers")).toBe(3);
    expect(await codeOf("GET", "providers/Microsoft.Nothing")).toBe("InvalidResourceNamespace");
  });
});

it("has availability sets and disks of their own", async () => {
  const set = computeAt("availabilitySets/set");
  const sku = { name: "Aligned" };
  expect(await codeOf("PUT", set, inEastUs({ platformFaultDomainCount: 5 }, { sku }))).toBe("InvalidParameter");
  expect(await codeOf("PUT", set, inEastUs({ platformFaultDomainCount: 2 }, { sku }))).toBe(200);
  await azure.call("PUT", at("networkInterfaces/member-nic"), { body: networkCard(azure, "control") });
  const { zones: _, ...vm } = vmBody(azure, "member", {
    more: { availabilitySet: { id: (await azure.call("GET", set)).body.id as string } },
  });
  expect(await azure.settle("PUT", vmAt("member"), { body: vm })).toMatchObject({ body: { status: "Succeeded" } });
  expect((await azure.call("GET", set)).body.properties.virtualMachines).toHaveLength(1);
  expect(await codeOf("DELETE", set)).toBe("OperationNotAllowed");
  await azure.settle("DELETE", vmAt("member"));
  expect(await codeOf("DELETE", set)).toBe(200);
  const disk = computeAt("disks/data");
  const made = await azure.call("PUT", disk, {
    body: inEastUs({ creationData: { createOption: "Empty" }, diskSizeGB: 10 }),
  });
  expect(made.status).toBe(202);
  await azure.clock.advance(100);
  expect((await azure.call("GET", made.headers["location"] as string)).body).toMatchObject({
    name: "data",
    properties: { diskState: "Unattached" },
  });
  expect(await azure.settle("DELETE", disk)).toMatchObject({ body: { status: "Succeeded" } });
});

it("never asked for what Azure does not know", () => {
  expect(azure.simulator.requests.violations).toEqual([]);
});
