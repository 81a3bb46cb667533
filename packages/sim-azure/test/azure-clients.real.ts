import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AzureSimulator, createAzureSimulator } from "../src/index.ts";
import { base64, makeVm, vmBody } from "./cluster-machine.ts";
import { idOf, makeNetwork, networkCard } from "./cluster-network.ts";
import { cliProgram, hasCli, hasSdk, loadSdk } from "./outside-clients/places.ts";
import { setBody } from "./scale-set.ts";
import { clientOf, type SimulatedAzure, signInForm, simulate } from "./simulation.ts";

if (!hasSdk()) process.stdout.write("Azure's SDK is skipped: it is not in the cache; npm run azure-clients\n");
if (!hasCli()) process.stdout.write("azure-cli is skipped: it is not in the cache; npm run azure-clients\n");

// oxlint-disable-next-line typescript/no-explicit-any -- what the clients return, looked into field by field
type Any = any;

interface Poller {
  submitted(): Promise<void>;
  poll(): Promise<unknown>;
  readonly isDone: boolean;
  readonly result: Any;
}

/** A body as the SDK takes it: what is in `properties` stands beside the rest, at every level that it knows. */
const flat = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(flat);
  if (typeof value !== "object" || value === null) return value;
  const { properties, ...rest } = value as { readonly properties?: object };
  return Object.fromEntries(Object.entries({ ...rest, ...properties }).map(([name, entry]) => [name, flat(entry)]));
};

describe.skipIf(!hasSdk())("Azure's SDK", () => {
  let azure: SimulatedAzure;
  const clients: Record<string, Any> = {};
  beforeAll(async () => {
    azure = await simulate();
    await makeNetwork(azure);
    const { simulator } = azure;
    const [owner] = simulator.principals;
    const credential = {
      getToken: async () => ({
        token: (await azure.signIn(signInForm(simulator, owner?.clientId, owner?.clientSecret))).body
          .access_token as string,
        expiresOnTimestamp: Date.now() + 3_000_000,
      }),
    };
    const options = {
      endpoint: simulator.url,
      credentials: { scopes: [`${simulator.url}/.default`] },
      tlsOptions: { ca: simulator.ca },
      retryOptions: { maxRetries: 0 },
    };
    for (const [name, exported] of [
      ["@azure/arm-compute", "ComputeManagementClient"],
      ["@azure/arm-network", "NetworkManagementClient"],
      ["@azure/arm-privatedns", "PrivateDnsManagementClient"],
      ["@azure/arm-resources", "ResourceManagementClient"],
    ] as const) {
      const Client = (await loadSdk<Any>(name))[exported];
      clients[name.slice("@azure/arm-".length)] = new Client(credential, simulator.subscriptionId, options);
    }
  });
  afterAll(async () => {
    expect(azure.simulator.requests.violations).toEqual([]);
    await azure[Symbol.asyncDispose]();
  });

  /** Lets time pass between the questions that a poller asks. */
  const finish = async (poller: Poller): Promise<Any> => {
    await poller.submitted();
    while (!poller.isDone) {
      await azure.clock.advance(200);
      await poller.poll();
    }
    return poller.result;
  };
  const all = async (pages: AsyncIterable<Any>): Promise<readonly Any[]> => {
    const items: Any[] = [];
    for await (const item of pages) items.push(item);
    return items;
  };

  it("lists groups, resources and SKUs, and makes and deletes a group", async () => {
    const { resources, compute } = clients;
    await resources.resourceGroups.createOrUpdate("other", { location: "westeurope", tags: { a: "b" } });
    expect((await all(resources.resourceGroups.list())).map(({ name }) => name as string)).toEqual(["demo", "other"]);
    expect((await all(resources.resources.list())).length).toBeGreaterThan(4);
    await finish(resources.resourceGroups.delete("other"));
    await expect(resources.resourceGroups.get("other")).rejects.toMatchObject({ code: "ResourceGroupNotFound" });
    const skus = await all(compute.resourceSkus.list({ filter: "location eq 'eastus'" }));
    expect(skus.length).toBeGreaterThan(200);
  });

  it("changes networks, and ends with what there is", async () => {
    const { network } = clients;
    const made = await finish(
      network.virtualNetworks.createOrUpdate("demo", "sdk-net", {
        location: "eastus",
        addressSpace: { addressPrefixes: ["172.20.0.0/16"] },
        subnets: [{ name: "one", addressPrefix: "172.20.1.0/24" }],
      }),
    );
    expect(made).toMatchObject({ provisioningState: "Succeeded", subnets: [{ name: "one" }] });
    expect((await all(network.subnets.list("demo", "sdk-net"))).map(({ name }) => name as string)).toEqual(["one"]);
    await finish(network.subnets.delete("demo", "sdk-net", "one"));
    const card = await finish(
      network.networkInterfaces.createOrUpdate("demo", "sdk-nic", flat(networkCard(azure, "nodes"))),
    );
    expect(card.ipConfigurations[0].privateIPAddress).toMatch(/^10\.1\./);
    expect((await all(network.loadBalancers.listAll()))[0]).toMatchObject({ name: "demo-lb" });
    await finish(network.networkInterfaces.delete("demo", "sdk-nic"));
    await expect(network.networkInterfaces.get("demo", "sdk-nic")).rejects.toMatchObject({ code: "ResourceNotFound" });
  });

  it("makes, reads and deletes machines", async () => {
    const { network, compute } = clients;
    await finish(network.networkInterfaces.createOrUpdate("demo", "sdk-vm-nic", flat(networkCard(azure, "nodes"))));
    const body = vmBody(azure, "sdk-vm", { customData: base64("#cloud-config\n") });
    const vm = await finish(compute.virtualMachines.createOrUpdate("demo", "sdk-vm", flat(body)));
    expect(vm).toMatchObject({ name: "sdk-vm", provisioningState: "Succeeded" });
    const seen = await compute.virtualMachines.get("demo", "sdk-vm", { expand: "instanceView" });
    expect(seen.instanceView.statuses[1].code).toBe("PowerState/running");
    const log = await compute.virtualMachines.retrieveBootDiagnosticsData("demo", "sdk-vm");
    expect(log.serialConsoleLogBlobUri).toContain("sig=");
    await finish(compute.virtualMachines.powerOff("demo", "sdk-vm"));
    await finish(compute.virtualMachines.delete("demo", "sdk-vm", { forceDeletion: true }));
    expect(await all(compute.virtualMachines.listAll())).toEqual([]);
    expect((await all(compute.disks.listByResourceGroup("demo"))).length).toBe(2);
  });

  it("makes, scales and deletes scale sets", async () => {
    const { compute } = clients;
    const set = await finish(
      compute.virtualMachineScaleSets.createOrUpdate("demo", "sdk-set", flat(setBody(azure, "sdk-set"))),
    );
    expect(set).toMatchObject({ provisioningState: "Succeeded", sku: { capacity: 2 } });
    const machines = await all(compute.virtualMachineScaleSetVMs.list("demo", "sdk-set"));
    expect(machines.map(({ instanceId }) => instanceId as string)).toEqual(["0", "1"]);
    await finish(compute.virtualMachineScaleSets.deleteInstances("demo", "sdk-set", { instanceIds: ["0"] }));
    await finish(
      compute.virtualMachineScaleSets.update("demo", "sdk-set", { sku: { name: "Standard_D2s_v3", capacity: 2 } }),
    );
    expect((await compute.virtualMachineScaleSets.getInstanceView("demo", "sdk-set")).virtualMachine).toMatchObject({
      statusesSummary: [{ code: "ProvisioningState/succeeded", count: 2 }],
    });
    await finish(compute.virtualMachineScaleSets.delete("demo", "sdk-set"));
    expect(await all(compute.virtualMachineScaleSets.list("demo"))).toEqual([]);
  });

  it("keeps private zones", async () => {
    const { privatedns } = clients;
    await finish(privatedns.privateZones.createOrUpdate("demo", "demo.capz.io", { location: "global" }));
    await privatedns.recordSets.createOrUpdate("demo", "demo.capz.io", "A", "apiserver", {
      ttl: 300,
      aRecords: [{ ipv4Address: "10.0.0.100" }],
    });
    await finish(
      privatedns.virtualNetworkLinks.createOrUpdate("demo", "demo.capz.io", "link", {
        location: "global",
        registrationEnabled: false,
        virtualNetwork: { id: idOf(azure, "virtualNetworks/demo-vnet") },
      }),
    );
    expect((await all(privatedns.recordSets.list("demo", "demo.capz.io"))).map(({ name }) => name as string)).toEqual([
      "apiserver",
    ]);
    await finish(privatedns.virtualNetworkLinks.delete("demo", "demo.capz.io", "link"));
    await finish(privatedns.privateZones.delete("demo", "demo.capz.io"));
  });
});

describe.skipIf(!hasCli())("azure-cli", () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-azure-cli-"));
  let simulator: AzureSimulator;
  /** Makes by itself what azure-cli makes by deployments, which are not simulated. */
  let azure: SimulatedAzure;
  const az = async (...args: readonly string[]): Promise<Any> => {
    const { stdout } = await promisify(execFile)(cliProgram, [...args, "--output", "json"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        AZURE_CONFIG_DIR: join(folder, "config"),
        REQUESTS_CA_BUNDLE: join(folder, "ca.pem"),
        AZURE_CORE_COLLECT_TELEMETRY: "false",
      },
    });
    return stdout.trim() === "" ? undefined : JSON.parse(stdout);
  };
  beforeAll(async () => {
    simulator = await createAzureSimulator({ clock: systemClock, random: cryptoRandom });
    await simulator.start();
    writeFileSync(join(folder, "ca.pem"), simulator.ca);
    const advance = (ms: number) => systemClock.sleep(ms);
    azure = clientOf(simulator, { now: () => systemClock.now(), advance }) as unknown as SimulatedAzure;
    await makeNetwork(azure);
    const { url, tenantId, principals } = simulator;
    const [owner] = principals;
    await az("config", "set", "core.instance_discovery=false", "core.encrypt_token_cache=false");
    const ends = ["--endpoint-resource-manager", url, "--endpoint-active-directory", url];
    const more = ["--endpoint-active-directory-resource-id", url, "--endpoint-active-directory-graph-resource-id", url];
    await az("cloud", "register", "--name", "Simulated", "--skip-endpoint-discovery", ...ends, ...more);
    await az("cloud", "set", "--name", "Simulated");
    const { clientId = "", clientSecret = "" } = owner ?? {};
    await az("login", "--service-principal", "--username", clientId, "--password", clientSecret, "--tenant", tenantId);
  });
  afterAll(async () => {
    expect(simulator.requests.violations).toEqual([]);
    expect(simulator.login.requests.violations).toEqual([]);
    await azure[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it("signs in, and makes and lists groups, networks and rules", async () => {
    expect(await az("account", "show")).toMatchObject({ id: simulator.subscriptionId, state: "Enabled" });
    await az("group", "create", "--name", "cli", "--location", "eastus", "--tags", "team=a");
    expect(await az("group", "list", "--tag", "team=a")).toMatchObject([{ name: "cli" }]);
    expect(await az("group", "list", "--tag", "team=b")).toEqual([]);
    await az("network", "vnet", "create", "-g", "cli", "-n", "net", "--address-prefixes", "10.0.0.0/16");
    await az("network", "nsg", "create", "-g", "cli", "-n", "rules");
    const rule = ["--nsg-name", "rules", "-n", "ssh", "--priority", "100", "--destination-port-ranges", "22"];
    expect(await az("network", "nsg", "rule", "create", "-g", "cli", ...rule)).toMatchObject({ access: "Allow" });
    expect(await az("network", "vnet", "list", "-g", "cli")).toMatchObject([{ name: "net" }]);
    expect(await az("network", "vnet", "show", "-g", "cli", "-n", "net")).toMatchObject({
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    });
  });

  it("is kept from deleting by a lock, and deletes after that", async () => {
    await az("group", "create", "--name", "held", "--location", "eastus");
    await az("network", "nsg", "create", "-g", "held", "-n", "rules");
    await az("lock", "create", "-g", "held", "-n", "keep", "--lock-type", "CanNotDelete");
    await expect(az("network", "nsg", "delete", "-g", "held", "-n", "rules")).rejects.toThrow("(ScopeLocked)");
    await az("lock", "delete", "-g", "held", "-n", "keep");
    expect(await az("resource", "list", "-g", "held")).toHaveLength(1);
    expect(await az("resource", "list", "--name", "nothing")).toEqual([]);
    await az("network", "nsg", "delete", "-g", "held", "-n", "rules");
    await az("group", "delete", "--name", "held", "--yes");
    expect(await az("group", "exists", "--name", "held")).toBe(false);
  });

  it("shows, looks into and deletes machines", async () => {
    await makeVm(azure, "web");
    expect(await az("vm", "show", "-g", "demo", "-n", "web", "--show-details")).toMatchObject({
      powerState: "VM running",
    });
    const commands = ["--command-id", "RunShellScript", "--scripts", "echo inside"];
    const ran = await az("vm", "run-command", "invoke", "-g", "demo", "-n", "web", ...commands);
    expect(ran.value[0].code).toBe("ProvisioningState/succeeded");
    expect(typeof (await az("vm", "boot-diagnostics", "get-boot-log", "-g", "demo", "-n", "web"))).toBe("string");
    await az("vm", "delete", "-g", "demo", "-n", "web", "--yes");
    expect(await az("vm", "list", "-g", "demo")).toEqual([]);
  });

  it("lists and deletes the instances of scale sets", async () => {
    await azure.settle("PUT", "resourceGroups/demo/providers/Microsoft.Compute/virtualMachineScaleSets/pool", {
      body: setBody(azure, "pool"),
    });
    expect(await az("vmss", "list-instances", "-g", "demo", "-n", "pool")).toHaveLength(2);
    await az("vmss", "delete-instances", "-g", "demo", "-n", "pool", "--instance-ids", "0");
    expect(await az("vmss", "show", "-g", "demo", "-n", "pool")).toMatchObject({ sku: { capacity: 1 } });
    await az("vmss", "delete", "-g", "demo", "-n", "pool");
    expect(await az("vmss", "list", "-g", "demo")).toEqual([]);
  });
});
