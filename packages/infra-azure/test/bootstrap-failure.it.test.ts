import { bootstrapTimeout } from "@capstan/contract/v1";
import { conditionOf, MachineResource } from "@capstan/contract/wire";
import { createGuestHost, type GuestHost } from "@capstan/guest";
import type { KubeObject } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OneMachine } from "./machine-scene.ts";
import { oneMachine } from "./machine-scene.ts";
import { startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const checked = { disableVMBootstrapExtension: false };
const linux = "CAPZ.Linux.Bootstrapping";
const minutes = 60_000;
const marker = "capstan-bootstrap-check/v1";

/** The check finds no sentinel, and cloud-init has ended. */
const failing = {
  machine: "m",
  console: "Booting Linux",
  extension: { exit: 1, stdout: `${marker} failed\nerror execution phase preflight: no disk\n` },
};

const stopping = (host: GuestHost) => ({ host, [Symbol.asyncDispose]: () => host.stop() });

const settingsOf = ({ cloud }: OneMachine, name: string): string =>
  JSON.stringify(cloud.simulator.state.resources.find((each) => each.name === name)?.secrets);

describe("who checks a machine at Azure", () => {
  it.each([
    ["Linux", "Linux", linux, "until test -e /run/cluster-api/bootstrap-success.complete"],
    ["Windows", "Windows", "CAPZ.Windows.Bootstrapping", "Test-Path 'C:/run/cluster-api/bootstrap-success.complete'"],
  ])(
    "each system has its own extension, run by the controller's protected settings: %s",
    async (_os, osType, name, words) => {
      await using scene = await oneMachine(environment);
      await scene.create({ ...checked, osDisk: { osType } });
      await scene.managers.start();
      await scene.verdict("Succeeded");
      expect(scene.extensions()).toEqual([name]);
      expect(settingsOf(scene, name).replaceAll("\\\\", "\\\\")).toContain(words.replaceAll("\\\\\\\\", "\\\\"));
    },
  );

  it.each([
    ["the field is not set", {}, {}],
    ["the field says so", { disableVMBootstrapExtension: true }, { "capstan.dev/bootstrap-checker": "extension" }],
    ["there are to be no extensions", { ...checked, disableExtensionOperations: true }, {}],
    ["the Node is chosen", checked, { "capstan.dev/bootstrap-checker": "node" }],
  ])("no extension is installed where %s, and the Node is gone by", async (_case, spec, annotations) => {
    await using scene = await oneMachine(environment);
    await scene.create(spec, annotations);
    await scene.managers.start();
    await scene.verdict("InProgress");
    await scene.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "m" });
    await scene.verdict("Succeeded");
    expect(scene.extensions()).toEqual([]);
  });

  it("the extension is installed where only the annotation asks for it, of the Cluster as well", async () => {
    await using scene = await oneMachine(environment);
    await scene.create();
    const { client } = environment;
    const body = { metadata: { annotations: { "capstan.dev/bootstrap-checker": "extension" } } };
    await client.patch(
      { group: "cluster.x-k8s.io", version: "v1beta2", kind: "Cluster", plural: "clusters", namespaced: true },
      scene.core.key(scene.core.clusterName),
      { type: "merge", body },
    );
    await scene.managers.start();
    await scene.verdict("Succeeded");
    expect(scene.extensions()).toEqual([linux]);
  });

  it.each([["AzureChinaCloud"], ["AzureUSGovernmentCloud"]])(
    "%s has no such extension",
    async (azureEnvironmentName) => {
      await using scene = await oneMachine(environment, { cluster: { azureEnvironment: azureEnvironmentName } });
      await scene.create(checked);
      await scene.managers.start();
      await scene.verdict("InProgress");
      await scene.pass(minutes);
      expect(scene.extensions()).toEqual([]);
    },
  );

  it("the wait is that of the annotation, else of the manager, else 20 minutes", async () => {
    const waits: readonly (readonly [string, object, number | undefined])[] = [
      ["timeout 1140 ", {}, undefined],
      ["timeout 540 ", {}, 10 * minutes],
      ["timeout 240 ", { "capstan.dev/bootstrap-report": "5m" }, 10 * minutes],
    ];
    for (const [words, annotations, byManager] of waits) {
      await using scene = await oneMachine(environment, {
        prepare: (manager) => {
          if (byManager !== undefined) manager.provide(bootstrapTimeout, byManager);
        },
      });
      await scene.create(checked, annotations as Readonly<Record<string, string>>);
      await scene.managers.start();
      await scene.verdict("Succeeded");
      expect(settingsOf(scene, linux)).toContain(words);
    }
  });
});

describe("a check that fails", () => {
  it("stays failed, whatever looks at it again: a later pass, another process, one that lost the status", async () => {
    await using scene = await oneMachine(environment);
    scene.cloud.simulator.guestPlans.add(failing);
    await scene.create(checked);
    await scene.managers.start();
    const message = await scene.verdict("Failed");
    expect(message).toBe(
      "bootstrapping failed: error execution phase preflight: no disk\nEnd of the log:\nBooting Linux\nerror execution phase preflight: no disk",
    );
    await scene.pass(20 * minutes);
    expect(await scene.verdictNow()).toBe("Failed");
    await scene.managers.stopAll();
    await scene.managers.start();
    await scene.pass(5 * minutes);
    expect(await scene.verdictNow()).toBe("Failed");
    await scene.managers.stopAll();
    await scene.dropStatus();
    await scene.managers.start();
    expect(await scene.verdict("Failed")).toBe(message);
  });

  it.each([["extension"], ["run-command"]])(
    "of Windows has the verdict as soon as its first boot is over, with the log, by %s",
    async (checker) => {
      await using guest = stopping(
        createGuestHost({ clock: environment.clock, random: seededRandom(5), lenient: true }),
      );
      await using scene = await oneMachine(environment, { simulator: { guest: guest.host } });
      const data = "#cloud-config\nruncmd:\n- powershell -c \"Write-Output 'kubeadm found no network'\"\n";
      await scene.create({ osDisk: { osType: "Windows" } }, { "capstan.dev/bootstrap-checker": checker }, data);
      await scene.managers.start();
      expect(await scene.verdict("Failed")).toContain("kubeadm found no network");
      expect(await scene.log()).toContain("Plugins execution done");
      expect(scene.extensions()).toEqual(checker === "extension" ? ["CAPZ.Windows.Bootstrapping"] : []);
    },
  );

  it("is no failure of the virtual machine, though Azure calls it so: the machine stays, and can be logged in to", async () => {
    await using scene = await oneMachine(environment);
    scene.cloud.simulator.guestPlans.add(failing);
    await scene.create(checked);
    await scene.managers.start();
    await scene.verdict("Failed");
    expect(scene.cloud.simulator.state.resources.find(({ type }) => type.endsWith("/virtualMachines"))?.state).toBe(
      "Failed",
    );
    const machine = await scene.get();
    expect(machine.status).not.toHaveProperty("failureReason");
    expect(conditionOf(machine, "Ready", "v1beta1")?.reason, "and not that of Azure").toBe("BootstrapFailed");
    expect(conditionOf(machine, "VMRunning", "v1beta1")?.status).toBe("True");
  });

  it("is told from the failure of a user's extension by its condition", async () => {
    await using scene = await oneMachine(environment);
    const custom = { name: "CustomScript", publisher: "Microsoft.Azure.Extensions", version: "2.1" };
    scene.cloud.simulator.faults.add({
      method: "PUT",
      path: /\/extensions\/CustomScript$/i,
      action: { kind: "operation-failed", code: "VMExtensionProvisioningError" },
    });
    await scene.create({ ...checked, vmExtensions: [custom] });
    await scene.managers.start();
    await scene.verdict("Succeeded");
    const extensionsReady = (found: KubeObject) => conditionOf(found, "VMExtensionsReady", "v1beta1");
    const machine = await scene.is((found) => extensionsReady(found)?.message?.includes("CustomScript") === true);
    expect(extensionsReady(machine)?.status).toBe("False");
    expect(scene.extensions().toSorted()).toEqual([linux, "CustomScript"]);
  });

  it("has the verdict also where the log cannot be had, whoever refuses it", async () => {
    for (const where of ["arm", "blobs"] as const) {
      await using scene = await oneMachine(environment);
      const { blobs, faults, guestPlans } = scene.cloud.simulator;
      guestPlans.add(failing);
      const action = { kind: "status", status: 403 } as const;
      if (where === "arm") faults.add({ path: /retrieveBootDiagnosticsData$/i, times: Infinity, action });
      else blobs.faults.add({ times: Infinity, action });
      await scene.create(checked);
      await scene.managers.start();
      expect(await scene.verdict("Failed")).toBe(
        "bootstrapping failed: error execution phase preflight: no disk\nEnd of the log:\nerror execution phase preflight: no disk",
      );
      expect(await scene.log()).toBe("error execution phase preflight: no disk");
    }
  });

  it("has no serial log where boot diagnostics are disabled, and nobody asks for it", async () => {
    await using scene = await oneMachine(environment);
    scene.cloud.simulator.guestPlans.add(failing);
    await scene.create({ ...checked, diagnostics: { boot: { storageAccountType: "Disabled" } } });
    await scene.managers.start();
    await scene.verdict("Failed");
    expect(await scene.log()).not.toContain("Booting Linux");
    expect(scene.cloud.simulator.requests.log.filter(({ path }) => /retrieveBootDiagnosticsData/i.test(path))).toEqual(
      [],
    );
  });
});

describe("a virtual machine that Azure fails", () => {
  const never = { machine: "m", boot: "never", console: "dracut: waiting for /dev/sda1" } as const;

  it("whose system never says that it is up has timed out, in Azure's words, with the serial console", async () => {
    await using scene = await oneMachine(environment, { simulator: { delays: { osProvisioningMs: 2 * minutes } } });
    scene.cloud.simulator.guestPlans.add(never);
    await scene.create(checked);
    await scene.managers.start();
    const message = await scene.verdict("TimedOut");
    expect(message).toMatch(/^OSProvisioningTimedOut/);
    expect(message).toContain("End of the log:\ndracut: waiting for /dev/sda1");
    expect(await scene.log()).toContain("dracut: waiting");
    const machine = await scene.get();
    expect(conditionOf(machine, "Ready", "v1beta1")?.status).toBe("False");
    expect(machine.status).toMatchObject({ failureReason: "CreateError", vmState: "Failed" });
    expect((await scene.events()).map((event) => event["reason"])).toContain("BootstrapTimedOut");
    const calls = scene.cloud.simulator.requests.next;
    await scene.pass(20 * minutes);
    expect(await scene.verdictNow()).toBe("TimedOut");
    const since = scene.cloud.simulator.requests.log.slice(calls - scene.cloud.simulator.requests.next);
    expect(since.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it.each([
    ["AllocationFailed", undefined],
    ["OSProvisioningInternalError", "Failed"],
  ])("with %s is never called ready; the verdict on bootstrapping is %s", async (code, verdict) => {
    await using scene = await oneMachine(environment);
    const action = { kind: "operation-failed", code, reason: "it cannot be" } as const;
    scene.cloud.simulator.faults.add({ method: "PUT", path: /\/virtualMachines\/m$/i, action });
    await scene.create(checked);
    await scene.managers.start();
    await scene.is((found) => found.status?.failureReason === "CreateError");
    await scene.pass(10 * minutes);
    const machine = await scene.get();
    expect([machine.status?.ready, conditionOf(machine, "VMRunning", "v1beta1")?.reason]).toEqual([
      undefined,
      "Failed",
    ]);
    expect(await scene.verdictNow()).toBe(verdict);
    expect(scene.extensions()).toEqual([]);
  });

  it("that is still being made when its operation is lost is waited for", async () => {
    await using scene = await oneMachine(environment, { simulator: { delays: { osProvisioningMs: 10 * minutes } } });
    scene.cloud.simulator.guestPlans.add(never);
    const action = { kind: "operation-vanishes" } as const;
    scene.cloud.simulator.faults.add({ method: "PUT", path: /\/virtualMachines\/m$/i, action });
    await scene.create(checked);
    await scene.managers.start();
    await scene.is((found) => found.status?.vmState === "Creating");
    await scene.pass(5 * minutes);
    const machine = await scene.get();
    expect([machine.status?.ready, await scene.verdictNow(), scene.extensions()]).toEqual([undefined, undefined, []]);
    await scene.verdict("TimedOut");
  });
});
