import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SimulatedAzure, signInForm, simulate } from "./simulation.ts";

let azure: SimulatedAzure;
beforeAll(async () => {
  azure = await simulate({
    principals: [
      { clientId: "owner", objectId: "o-1", clientSecret: "s-1", role: "Owner" },
      { clientId: "reader", objectId: "o-2", clientSecret: "s-2", role: "Reader" },
      { clientId: "contributor", objectId: "o-3", clientSecret: "s-3", role: "Contributor" },
    ],
  });
});
afterAll(() => azure[Symbol.asyncDispose]());

const tokenOf = async (client: string, secret: string): Promise<string> =>
  (await azure.signIn(signInForm(azure.simulator, client, secret))).body.access_token as string;

describe("signing in", () => {
  it("describes itself", async () => {
    const { url, tenantId } = azure.simulator;
    const { body } = await azure.call("GET", `/${tenantId}/v2.0/.well-known/openid-configuration`, {
      token: "",
    });
    expect(body).toMatchObject({
      token_endpoint: `${url}/${tenantId}/oauth2/v2.0/token`,
      issuer: `${url}/${tenantId}/v2.0`,
    });
    expect((await azure.call("GET", "/metadata/endpoints?api-version=2022-09-01", { token: "" })).body).toMatchObject({
      resourceManager: url,
      authentication: { loginEndpoint: url, audiences: expect.arrayContaining([url]) },
    });
    expect((await azure.call("GET", "/healthz")).body).toBe("ok");
  });

  it.each([
    ["a wrong secret", { client_secret: "no" }, 401, "invalid_client", 7_000_215],
    ["an unknown client", { client_id: "nobody" }, 400, "unauthorized_client", 700_016],
    [
      "an assertion that is none",
      { client_assertion: "a.b.c", client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" },
      401,
      "invalid_client",
      50_027,
    ],
    [
      "an assertion of another type",
      { client_assertion: "a.b.c", client_assertion_type: "saml" },
      400,
      "invalid_request",
      900_144,
    ],
    ["an unknown field", { password: "x" }, 400, "invalid_request", 900_144],
  ])("refuses %s", async (_, form, status, error, code) => {
    const answer = await azure.signIn({ ...signInForm(azure.simulator, "owner", "s-1"), ...form });
    expect(answer).toMatchObject({ status, body: { error, error_codes: [code] } });
  });

  it("takes an assertion in time for a secret", async () => {
    const assertion = (exp: number): string =>
      `e30.${Buffer.from(JSON.stringify({ sub: "owner", exp })).toString("base64url")}.x`;
    const form = {
      ...signInForm(azure.simulator, "owner"),
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    };
    const now = azure.clock.now() / 1000;
    expect(await azure.signIn({ ...form, client_assertion: assertion(now + 10) })).toMatchObject({ status: 200 });
    expect(await azure.signIn({ ...form, client_assertion: assertion(now - 10) })).toMatchObject({ status: 401 });
  });

  it.each([
    ["no token", {}, "AuthenticationFailed"],
    ["another's token", { authorization: "Bearer a.b.c" }, "InvalidAuthenticationToken"],
  ])("admits nobody with %s", async (_, headers, code) => {
    const answer = await azure.call("GET", "/subscriptions", { token: "", headers: { authorization: "", ...headers } });
    expect(answer).toMatchObject({ status: 401, body: { error: { code } } });
    expect(answer.headers["www-authenticate"]).toContain("Bearer");
  });

  it("does not keep secrets in its log", () => {
    expect(JSON.stringify(azure.simulator.login.requests.log)).not.toContain("s-1");
  });
});

describe("a request", () => {
  it.each([
    ["GET", "/subscriptions/x", undefined, 404, "SubscriptionNotFound"],
    ["GET", "resourceGroups/none", undefined, 404, "ResourceGroupNotFound"],
    ["GET", "providers/Microsoft.Network/nothing", undefined, 404, "InvalidResourceType"],
    ["POST", "resourceGroups/none", undefined, 405, "MethodNotAllowed"],
    ["GET", "resourceGroups?color=red", undefined, 400, "InvalidRequestContent"],
    ["PUT", "resourceGroups/g", { location: "eastus", color: "red" }, 400, "InvalidRequestContent"],
    ["PUT", "resourceGroups/g", { tags: {} }, 400, "LocationRequired"],
    ["PUT", "resourceGroups/g", { location: "atlantis" }, 400, "LocationNotAvailableForResourceType"],
    ["PUT", "resourceGroups/g.", { location: "eastus" }, 400, "InvalidResourceGroupName"],
  ])("%s %s is refused in the words of ARM", async (method, path, body, status, code) => {
    const answer = await azure.call(method, path, { body });
    expect(answer).toMatchObject({ status, body: { error: { code, message: expect.any(String) as string } } });
  });

  it("names a version of the API", async () => {
    const { url } = azure.simulator;
    const answer = await azure.call("GET", `${url}/subscriptions?api-version=`);
    expect(answer).toMatchObject({ status: 400 });
    const { origin } = new URL(url);
    expect((await azure.call("GET", `${origin}/subscriptions?api-version=2016-06-01-preview`)).status).toBe(200);
  });

  it("is answered with what is left, and with IDs", async () => {
    const { headers } = await azure.call("GET", "/subscriptions");
    expect(headers).toMatchObject({
      "x-ms-request-id": expect.any(String) as string,
      "x-ms-correlation-request-id": expect.any(String) as string,
      "x-ms-ratelimit-remaining-subscription-reads": expect.stringMatching(/^\d+$/) as string,
      "x-ms-ratelimit-remaining-subscription-global-reads": expect.stringMatching(/^\d+$/) as string,
    });
  });

  it("may do what the role of its principal allows", async () => {
    const token = await tokenOf("reader", "s-2");
    expect((await azure.call("GET", "resourceGroups", { token })).status).toBe(200);
    expect(await azure.call("PUT", "resourceGroups/g", { token, body: { location: "eastus" } })).toMatchObject({
      status: 403,
      body: { error: { code: "AuthorizationFailed" } },
    });
  });
});

it("counts the calls of each machine, and of all of a kind, as Microsoft.Compute does", async () => {
  await using busy = await simulate();
  await busy.call("PUT", "resourceGroups/g", { body: { location: "eastus" } });
  const at = (name: string) => `resourceGroups/g/providers/Microsoft.Compute/virtualMachines/${name}`;
  const left = "x-ms-ratelimit-remaining-resource";
  const first = await busy.call("GET", at("one"));
  expect(first.headers[left]).toBe(
    "Microsoft.Compute/LowCostGetSubscriptionMaximum;23999,Microsoft.Compute/LowCostGetResource;35",
  );
  for (let count = 0; count < 35; count += 1) await busy.call("GET", `${at("one")}/instanceView`);
  expect(await busy.call("GET", at("one"))).toMatchObject({
    status: 429,
    headers: { "retry-after": "5", [left]: "Microsoft.Compute/LowCostGetResource;0" },
  });
  expect((await busy.call("GET", at("two"))).status).toBe(404);
  for (let count = 0; count < 12; count += 1) await busy.call("DELETE", at("one"));
  expect(await busy.call("DELETE", at("one"))).toMatchObject({ status: 429, headers: { "retry-after": "15" } });
  await busy.clock.advance(15_000);
  expect((await busy.call("DELETE", at("one"))).status).toBe(204);
});

it("throttles a principal that asks too often", async () => {
  await using busy = await simulate();
  const statuses = new Set<number>();
  for (let count = 0; count < 251; count += 1) statuses.add((await busy.call("GET", "/tenants")).status);
  expect([...statuses]).toEqual([200, 429]);
  const refused = await busy.call("GET", "/tenants");
  expect(refused).toMatchObject({
    status: 429,
    headers: { "retry-after": "1" },
    body: { error: { code: "TooManyRequests" } },
  });
  await busy.clock.advance(1000);
  expect((await busy.call("GET", "/tenants")).status).toBe(200);
});

describe("a resource group", () => {
  const path = "resourceGroups/My-Group";

  it("is made, changed, listed, found in any letter case and deleted", async () => {
    await using fresh = await simulate();
    const made = await fresh.call("PUT", path, { body: { location: "East US", tags: { a: "1" } } });
    expect(made).toMatchObject({
      status: 201,
      body: { name: "My-Group", location: "eastus", tags: { a: "1" }, properties: { provisioningState: "Succeeded" } },
    });
    expect(await fresh.call("PUT", path, { body: { location: "eastus" } })).toMatchObject({ status: 200 });
    expect(await fresh.call("PUT", path, { body: { location: "westus" } })).toMatchObject({
      status: 409,
      body: { error: { code: "InvalidResourceGroupLocation" } },
    });
    expect((await fresh.call("GET", "resourcegroups/MY-GROUP")).body).toMatchObject({ name: "My-Group" });
    expect((await fresh.call("HEAD", path)).status).toBe(204);
    expect((await fresh.call("HEAD", "resourceGroups/other")).status).toBe(404);
    const deleting = await fresh.call("DELETE", path);
    expect(deleting).toMatchObject({
      status: 202,
      headers: { location: expect.stringContaining("/operationresults/") as string },
    });
    expect((await fresh.call("GET", path)).body).toMatchObject({ properties: { provisioningState: "Deleting" } });
    expect(await fresh.call("PUT", path, { body: { location: "eastus" } })).toMatchObject({
      status: 409,
      body: { error: { code: "ResourceGroupBeingDeleted" } },
    });
    const address = deleting.headers["location"] as string;
    expect((await fresh.call("GET", address)).status).toBe(202);
    expect((await fresh.call("GET", address.replace(/&s=[^&]*/, ""))).status).toBe(400);
    await fresh.clock.advance(1000);
    expect((await fresh.call("GET", address)).status).toBe(200);
    expect((await fresh.call("DELETE", path)).status).toBe(404);
    expect((await fresh.call("GET", "resourceGroups")).body.value).toEqual([]);
  });

  it("stays when its deletion fails", async () => {
    await using fresh = await simulate({
      faults: [{ method: "DELETE", action: { kind: "operation-failed", code: "Conflict", reason: "not now" } }],
    });
    await fresh.call("PUT", path, { body: { location: "eastus" } });
    expect(await fresh.settle("DELETE", path)).toMatchObject({
      status: 409,
      body: { error: { code: "Conflict", message: "not now" } },
    });
    expect((await fresh.call("GET", path)).body).toMatchObject({ properties: { provisioningState: "Succeeded" } });
  });

  it("goes although nobody knows the operation any more", async () => {
    await using fresh = await simulate({ faults: [{ method: "DELETE", action: { kind: "operation-vanishes" } }] });
    await fresh.call("PUT", path, { body: { location: "eastus" } });
    expect((await fresh.settle("DELETE", path)).status).toBe(404);
    await fresh.clock.advance(1000);
    expect((await fresh.call("GET", path)).status).toBe(404);
  });
});

describe("the control interface", () => {
  it("plans and takes away faults of a group, for the resource manager", async () => {
    await using fresh = await simulate();
    const action = { kind: "status", status: 503, code: "Busy" };
    const add = (path: string) =>
      fresh.call("POST", "/_simulator/faults", { body: { method: "PUT", path, nth: 1, times: 2, action } });
    expect((await add("resourcegroups/mine(/|$)")).status).toBe(201);
    expect((await add("resourcegroups/other")).status).toBe(201);
    const put = (group: string) => fresh.call("PUT", `resourceGroups/${group}`, { body: { location: "eastus" } });
    expect(await put("mine")).toMatchObject({ status: 503, body: { error: { code: "Busy" } } });
    expect((await fresh.call("DELETE", "/_simulator/faults?group=Mine")).status).toBe(204);
    expect([(await put("mine")).status, (await put("other")).status]).toEqual([201, 503]);
    const { body } = await fresh.call("GET", "/_simulator/requests?since=0");
    expect(body.items.map(({ method, status }: { method: string; status: number }) => [method, status])).toEqual([
      ["PUT", 503],
      ["PUT", 201],
      ["PUT", 503],
    ]);
  });

  it("plans the inside of machines, by what Azure calls them", async () => {
    await using fresh = await simulate();
    const plan = {
      group: "demo",
      vm: "web",
      agent: "missing",
      sentinel: "missing",
      extension: { exit: 1, stdout: "a", stderr: "b" },
    };
    expect((await fresh.call("POST", "/_simulator/guests", { body: plan })).status).toBe(201);
    expect((await fresh.call("GET", "/_simulator/guests")).body.plans).toEqual([plan]);
    expect((await fresh.call("POST", "/_simulator/guests", { body: { machine: "web" } })).status).toBe(400);
  });
});
