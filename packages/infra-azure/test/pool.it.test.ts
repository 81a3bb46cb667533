import { SecretResource } from "@capstan/contract/wire";
import { createGuestHost } from "@capstan/guest";
import type { KubeObject } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AzureMachinePool, AzureMachinePoolMachine } from "../src/api.ts";
import type { AzureSimulatorOptions } from "@capstan/sim-azure";
import type { PoolScene } from "./pool-scene.ts";
import { poolScene, said, size } from "./pool-scene.ts";
import type { Scene } from "./scene.ts";
import { isReady as isClusterReady, openScene, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const open = async (
  options: Partial<AzureSimulatorOptions> = {},
): Promise<{ readonly scene: Scene; readonly pool: PoolScene } & AsyncDisposable> => {
  const scene = await openScene(environment, options);
  await scene.cluster();
  await scene.managers.start();
  await scene.clusterIs(isClusterReady);
  return { scene, pool: poolScene(environment, scene), [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() };
};

const isReady = (object: AzureMachinePool | AzureMachinePoolMachine): boolean =>
  said(object, "Ready").startsWith("True");
const marker = "capstan-bootstrap-check/v1";
const because = (reason: string) => (object: KubeObject) => said(object, "Ready").startsWith(`False ${reason} `);
const tagsOf = ({ scene }: { readonly scene: Scene }) => scene.resource("virtualMachineScaleSets").tags ?? {};

describe.each(["Uniform", "Flexible"] as const)("a pool, %s", (orchestrationMode) => {
  it("says how far it is, and where its machines are", async () => {
    await using opened = await open();
    const { pool } = opened;
    await pool.create({ orchestrationMode, template: { ...size, diagnostics: {} } }, { replicas: 2, zones: ["2"] });
    const conditions = ["ScaleSetRunning", "ScaleSetDesiredReplicas", "ScaleSetModelUpdated"];
    await pool.is((each) => conditions.every((type) => said(each, type).startsWith("True")));
    const machines = await pool.machinesAre(2, isReady);
    for (const { spec, status } of machines) {
      expect(status).toMatchObject({ failureDomain: "2", provisioningState: "Succeeded", latestModelApplied: true });
      expect(status?.addresses).toMatchObject([
        { type: "InternalDNS" },
        { type: "InternalIP", address: expect.stringMatching(/^10\.1\./) as string },
      ]);
      expect(spec?.providerID).toContain(
        orchestrationMode === "Uniform" ? "/virtualMachineScaleSets/p/" : "/virtualMachines/p_",
      );
    }
    expect(new Set(machines.map(({ status }) => status?.addresses?.[1]?.address)).size).toBe(2);
  });

  it("that cannot have all of its machines says Azure's cause, and has them when it is gone", async () => {
    await using opened = await open();
    const { pool, scene } = opened;
    const full = { kind: "operation-failed", code: "AllocationFailed", reason: "no room in westeurope" } as const;
    scene.cloud.simulator.faults.add({ method: "PUT", path: /virtualMachineScaleSets\/p$/i, times: 1, action: full });
    await pool.create({ orchestrationMode }, { replicas: 2 });
    const failed = await pool.is((each) => said(each, "ScaleSetRunning").includes("retrying every five minutes"));
    expect(said(failed, "Ready")).toContain("no room in westeurope");
    expect(failed.status).toMatchObject({ failureReason: "CreateError" });
    const whole = await pool.is((each) => said(each, "ScaleSetDesiredReplicas").startsWith("True"));
    expect(whole.status?.failureReason).toBeUndefined();
  });
});

describe("a pool", () => {
  it.each([
    [{ vmSize: "Standard_Moon" }, "spec.template.vmSize Standard_Moon does not exist in westeurope"],
    [{ vmSize: "Standard_B1s" }, "has 1 processors"],
  ])("with %j is refused before anything is made: %s", async (template, words) => {
    await using opened = await open();
    const { pool, scene } = opened;
    await pool.create({ template: { ...size, ...template } });
    const found = await pool.is(because("InvalidConfiguration"));
    expect(said(found, "Ready")).toContain(words);
    expect(found.status).toMatchObject({ failureReason: "InvalidConfiguration" });
    expect(() => scene.resource("virtualMachineScaleSets")).toThrow();
  });

  it("is as it should be in whatever letter case Azure says its size", async () => {
    await using opened = await open();
    const { pool, scene } = opened;
    await pool.create();
    await pool.is((each) => said(each, "ScaleSetModelUpdated").startsWith("True"));
    const set = scene.resource("virtualMachineScaleSets");
    const { sku } = set.outer as { readonly sku: { readonly name: string } };
    set.outer = { ...set.outer, sku: { ...sku, name: sku.name.toUpperCase() } };
    // The list of the next sync period shows that it has changed, and it is read again.
    set.tags = { ...set.tags, owner: "them" };
    const before = scene.cloud.simulator.requests.log.length;
    await environment.pass(30 * 60_000);
    const since = scene.cloud.simulator.requests.log.slice(before);
    expect(since.some(({ path }) => /virtualMachineScaleSets\/p$/i.test(path))).toBe(true);
    expect(since.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it("for which there is no quota says so, and has its machines when there is", async () => {
    const quotas = { cores: 3 };
    await using opened = await open({ quotas });
    const { pool } = opened;
    await pool.create({}, { replicas: 2 });
    const refused = await pool.is(because("QuotaExceeded"));
    expect(said(refused, "Ready")).toContain("ask Azure for a higher quota");
    quotas.cores = 100;
    await pool.is((each) => said(each, "ScaleSetDesiredReplicas").startsWith("True"));
  });

  it("has a Secret with the configuration of the cloud provider", async () => {
    await using opened = await open();
    const { pool, scene } = opened;
    await pool.create();
    await pool.is((each) => said(each, "ScaleSetRunning").startsWith("True"));
    const secret = await environment.client.get<KubeObject>(SecretResource, scene.core.key("p-azure-json"));
    const text = (secret["data"] as Readonly<Record<string, string>>)["worker-node-azure.json"] ?? "";
    expect(JSON.parse(Buffer.from(text, "base64").toString())).toMatchObject({
      location: "westeurope",
      vmType: "vmss",
    });
    expect(secret.metadata.ownerReferences).toMatchObject([{ kind: "AzureMachinePool", name: "p" }]);
  });

  it("has the tags of its spec: added, changed and taken away, while those of others stay", async () => {
    await using opened = await open();
    const { pool, scene } = opened;
    await pool.create({ additionalTags: { team: "a", stage: "x" } });
    await pool.is((each) => /stage/.test(JSON.stringify(each.metadata.annotations ?? {})));
    const path = `${scene.resource("virtualMachineScaleSets").id}/providers/Microsoft.Resources/tags/default`;
    await scene.cloud.call("PATCH", path, { operation: "Merge", properties: { tags: { owner: "them", team: "z" } } });
    await pool.change({ additionalTags: { team: "b", stage: null } });
    await environment.until(() => tagsOf(opened)["team"] === "b" && tagsOf(opened)["stage"] === undefined);
    expect(tagsOf(opened)).toMatchObject({ owner: "them" });
  });

  it("of Windows is called shortly, announces deletions, and has the role that its spec asks for", async () => {
    await using opened = await open();
    const { pool, scene } = opened;
    const template = { ...size, osDisk: { osType: "Windows", diskSizeGB: 128 }, terminateNotificationTimeout: 7 };
    await pool.create({ identity: "SystemAssigned", template });
    await pool.is((each) => said(each, "RoleAssignmentReady").startsWith("True"));
    const { principalId } = scene.resource("virtualMachineScaleSets").outer["identity"] as { principalId: string };
    expect(scene.cloud.simulator.state.roleAssignments).toMatchObject([{ principalId }]);
    expect(scene.resource("virtualMachineScaleSets").properties).toMatchObject({
      virtualMachineProfile: {
        osProfile: { computerNamePrefix: "p", windowsConfiguration: { enableAutomaticUpdates: false } },
        scheduledEventsProfile: { terminateNotificationProfile: { enable: true, notBeforeTimeout: "PT7M" } },
      },
    });
  });

  it("has the verdict on each machine by the extension of its model, with the log, beside the user's extension", async () => {
    await using opened = await open();
    const { pool, scene } = opened;
    scene.cloud.simulator.guestPlans.add({
      machine: "p_0",
      console: "Booting Linux",
      extension: {
        exit: 1,
        stdout: `${marker} failed
error execution phase preflight: no disk
`,
      },
    });
    const custom = {
      name: "CustomScript",
      publisher: "Microsoft.Azure.Extensions",
      version: "2.1",
      settings: { commandToExecute: "true" },
    };
    await pool.create({ template: { ...size, disableVMBootstrapExtension: false, vmExtensions: [custom] } });
    const [machine] = await pool.machinesAre(1, (each) => said(each, "BootstrapSucceeded").startsWith("False Failed"));
    expect(said(machine!, "BootstrapSucceeded")).toContain(
      "bootstrapping failed: error execution phase preflight: no disk",
    );
    const name = `${machine!.metadata.name}-bootstrap-log`;
    const secret = await environment.client.get<KubeObject>(SecretResource, scene.core.key(name));
    const log = Buffer.from((secret["data"] as { log: string }).log, "base64").toString("utf8");
    expect(log).toContain("Booting Linux");
    const model = JSON.stringify(scene.resource("virtualMachineScaleSets").properties);
    expect(model).toContain('"type":"CAPZ.Linux.Bootstrapping"');
    expect(model).toContain('"type":"CustomScript"');
  });

  it.each([
    ["has written the sentinel", "echo success > /run/cluster-api/bootstrap-success.complete", "True"],
    ["has failed", "powershell -c \"Write-Output 'kubeadm found no network'\"", "False Failed bootstrapping failed"],
  ])("of Windows whose bootstrap data %s says so of each machine", async (_case, command, verdict) => {
    const guest = createGuestHost({ clock: environment.clock, random: seededRandom(5), lenient: true });
    await using opened = await open({ guest });
    const { pool, scene } = opened;
    const osDisk = { osType: "Windows", diskSizeGB: 128 };
    const bootstrap = `#cloud-config\nruncmd:\n- ${command}\n`;
    await pool.create({ template: { ...size, osDisk, disableVMBootstrapExtension: false } }, { bootstrap });
    const [machine] = await pool.machinesAre(1, (each) => said(each, "BootstrapSucceeded").startsWith(verdict));
    if (verdict !== "True") {
      expect(said(machine!, "BootstrapSucceeded")).toContain("kubeadm found no network");
      expect(JSON.stringify(scene.resource("virtualMachineScaleSets").properties)).toContain(
        '"type":"CAPZ.Windows.Bootstrapping"',
      );
    }
    await guest.stop();
  });

  it("has the identities of its spec again where somebody takes them away", async () => {
    const identities = ["own", "theirs"].map((name) => ({ resourceGroup: "ids", name, location: "westeurope" }));
    await using opened = await open({ identities });
    const { pool, scene } = opened;
    const { subscriptionId } = scene.cloud.simulator;
    const idOf = (name: string): string =>
      `/subscriptions/${subscriptionId}/resourceGroups/ids/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
    const given = (): readonly string[] => {
      const { userAssignedIdentities = {} } = (scene.resource("virtualMachineScaleSets").outer["identity"] ?? {}) as {
        readonly userAssignedIdentities?: object;
      };
      return Object.keys(userAssignedIdentities).map((id) => id.split("/").at(-1)!);
    };
    await pool.create({ identity: "UserAssigned", userAssignedIdentities: [{ providerID: `azure://${idOf("own")}` }] });
    await pool.is(isReady);
    expect(given()).toEqual(["own"]);
    const identity = { type: "UserAssigned", userAssignedIdentities: { [idOf("own")]: null, [idOf("theirs")]: {} } };
    await scene.cloud.call("PATCH", scene.resource("virtualMachineScaleSets").id, { identity });
    expect(given()).toEqual(["theirs"]);
    await environment.until(() => given().includes("own"), 15 * 60_000);
  });

  it("whose spot machine Azure took back says so of the machine", async () => {
    await using opened = await open();
    const { pool, scene } = opened;
    await pool.create({ orchestrationMode: "Flexible", template: { ...size, spotVMOptions: {} } });
    await pool.machinesAre(1, isReady);
    Object.assign(scene.resource("virtualMachines").machine!, { deallocated: true });
    const [machine] = await pool.machinesAre(1, because("SpotEvicted"));
    expect(said(machine!, "Ready")).toContain("Azure evicted the spot instance");
  });
});
