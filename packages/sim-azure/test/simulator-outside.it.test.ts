import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeAt, makeVm, vmAt } from "./cluster-machine.ts";
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

describe("what its answers say beside", () => {
  const ids = { "x-ms-client-request-id": "mine", "x-ms-correlation-request-id": "one reconcile" };

  it.each([
    ["resourceGroups/demo", 200],
    ["resourceGroups/none", 404],
    ["nothing", 404],
  ])("has the ids that the client gave: %s", async (path, status) => {
    const headers = { ...ids, "x-ms-return-client-request-id": "true" };
    expect(await azure.call("GET", path, { headers })).toMatchObject({ status, headers: ids });
    const bare = (await azure.call("GET", path)).headers;
    expect([bare["x-ms-client-request-id"], bare["x-ms-correlation-request-id"]]).toEqual([
      undefined,
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  });

  it("has them where the answer is a planned fault, too", async () => {
    azure.simulator.faults.add({ path: /none$/, action: { kind: "status", status: 503 } });
    expect(await azure.call("GET", "resourceGroups/none", { headers: ids })).toMatchObject({
      status: 503,
      headers: { "x-ms-correlation-request-id": "one reconcile" },
    });
  });

  it("says of everything that goes on when to ask again: azure-cli waits half a minute else", async () => {
    const told = { headers: { "retry-after": "1" } };
    for (const [path, body] of [
      [at("routeTables/soon"), inEastUs({})],
      [at("privateDnsZones/soon.example"), { location: "global" }],
      [computeAt("disks/soon"), inEastUs({ creationData: { createOption: "Empty" }, diskSizeGB: 4 })],
    ] as const) {
      const made = await azure.call("PUT", path, { body });
      expect(made).toMatchObject(told);
      expect(await azure.call("GET", made.headers["azure-asyncoperation"] as string)).toMatchObject(told);
      await azure.clock.advance(200);
      const over = await azure.call("GET", made.headers["azure-asyncoperation"] as string);
      expect([over.body.status, over.headers["retry-after"]]).toEqual(["Succeeded", undefined]);
      const removed = await azure.call("DELETE", path);
      expect(removed).toMatchObject(told);
      expect(await azure.call("GET", removed.headers["location"] as string)).toMatchObject({ status: 202, ...told });
      await azure.clock.advance(200);
    }
  });
});

it.each([
  [{ enabled: true }, {}],
  [
    { enabled: true, storageUri: "https://mine.blob.core.windows.net/" },
    expect.objectContaining({ serialConsoleLogBlobUri: expect.stringContaining("serialconsole") as string }),
  ],
  [{ enabled: false }, undefined],
])("shows where logs are only if they are not Azure's own: %j", async (bootDiagnostics, shown) => {
  const name = `logs-${JSON.stringify(bootDiagnostics).length}`;
  await makeVm(azure, name, { more: { diagnosticsProfile: { bootDiagnostics } } });
  expect((await azure.call("GET", `${vmAt(name)}/instanceView`)).body.bootDiagnostics).toEqual(shown);
});

describe("lists", () => {
  const names = async (path: string): Promise<readonly string[]> => {
    const { body } = await azure.call("GET", path);
    const all = (body.value as readonly { readonly name: string }[]).map(({ name }) => name);
    return body.nextLink === undefined ? all : [...all, ...(await names(body.nextLink as string))];
  };
  const filtered = (filter: string): string => `$filter=${encodeURIComponent(filter)}`;

  it("have what their filter says, of resources and of groups", async () => {
    await azure.call("PUT", "resourceGroups/tagged", { body: { location: "westeurope", tags: { Team: "a" } } });
    expect(await names(`resourceGroups?${filtered("tagname eq 'team' and tagvalue eq 'a'")}`)).toEqual(["tagged"]);
    expect(await names(`resources?${filtered("name eq 'demo-vnet' and location eq 'eastus'")}`)).toEqual(["demo-vnet"]);
    expect(await names(`resourceGroups/demo/resources?${filtered("location ne 'eastus'")}`)).toEqual([]);
  });

  it.each(["resources", "resourceGroups", "resourceGroups/demo/resources"])("come by pages: %s", async (path) => {
    const first = (await azure.call("GET", `${path}?$top=1`)).body;
    expect([first.value.length, typeof first.nextLink]).toEqual([1, "string"]);
    expect(await names(`${path}?$top=1`)).toEqual(await names(path));
  });

  it.each([
    ["resources", "size eq 'x'"],
    ["resourceGroups", "properties eq 'x'"],
    ["providers/Microsoft.Compute/virtualMachines", "name eq 'x'"],
    ["providers/Microsoft.Authorization/roleAssignments", "roleName eq 'x'"],
    ["providers/Microsoft.Authorization/roleDefinitions", "name eq 'x'"],
  ])("of %s are refused rather than whole where a filter is not known", async (path, filter) => {
    const { status, body } = await azure.call("GET", `${path}?${filtered(filter)}`);
    expect([status, body.error.code]).toEqual([400, expect.stringMatching(/^InvalidFilter/)]);
  });
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
