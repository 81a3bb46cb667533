import { MachineResource } from "@capstan/contract/wire";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { BmcJob, BmcMachine, Hardware, Template, Workflow } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TinkerbellMachine } from "../src/api.ts";
import { createMetalProvider } from "../src/index.ts";
import { RackScene } from "./rack-scene.ts";
import { kinds, machineAddresses, metadataUrl } from "./subject.ts";
import { type TinkerbellMood, tinkerbellPart } from "./tinkerbell-part.ts";

const mood: TinkerbellMood = {};
const off: string[] = [];
let environment: ConformanceEnvironment;
let stop: () => Promise<void>;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start(kinds);
  const provider = await environment.runManager({ providers: [createMetalProvider({ metadataUrl })] });
  const tinkerbell = await environment.runManager({ providers: [tinkerbellPart(mood, off)] });
  stop = async () => {
    await provider.stop();
    await tinkerbell.stop();
  };
});
afterAll(async () => {
  await stop();
  await environment.stop();
});
beforeEach(() => {
  mood.failure = undefined;
  mood.bmcFailure = undefined;
  mood.stuck = false;
});

const owner = { name: "v1alpha1.tinkerbell.org/ownerName", namespace: "v1alpha1.tinkerbell.org/ownerNamespace" };
const provisioned = "v1alpha1.tinkerbell.org/provisioned";
const userDataSecret = "capstan.dev/user-data-secret";
const finalizer = "infrastructure.cluster.x-k8s.io/tinkerbellmachine";

describe("a machine", () => {
  it("gets Hardware, its user data and a workflow, and loses the user data when its Node is there", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    await scene.machine("m", { bootOptions: { bootMode: "netboot" } });
    const machine = await scene.ready("m");
    const providerID = `tinkerbell://${scene.rack}/a`;
    expect(machine.spec).toMatchObject({ hardwareName: "a", providerID });
    expect(machine.status).toMatchObject({
      ready: true,
      initialization: { provisioned: true },
      addresses: [{ type: "InternalIP", address: machineAddresses({ name: "a", namespace: scene.rack }).ip }],
      targetNamespace: scene.rack,
    });
    const hardware = await scene.of(Hardware, "a");
    expect(hardware?.metadata).toMatchObject({
      labels: { [owner.name]: "m", [owner.namespace]: scene.core.namespace },
      finalizers: [finalizer],
      annotations: { [provisioned]: "true" },
    });
    expect(hardware?.spec).not.toHaveProperty("userData");
    expect(hardware?.metadata.annotations?.[userDataSecret]).toBe(`${scene.core.namespace}/m-user-data`);
    const userData = `provider-id: ${providerID}`;
    expect(await scene.userData("m")).toEqual({ userData, hardware: `${scene.rack}/a` });
    const labels = {
      "capt.tinkerbell.org/machine-name": "m",
      "capt.tinkerbell.org/machine-namespace": scene.core.namespace,
    };
    expect((await scene.of(Template, "m"))?.metadata.labels).toMatchObject(labels);
    const workflow = await scene.of(Workflow, "m");
    expect(workflow?.metadata.labels).toMatchObject(labels);
    expect(workflow?.spec).toEqual({
      templateRef: "m",
      hardwareRef: "a",
      hardwareMap: { device_1: machineAddresses({ name: "a", namespace: scene.rack }).mac },
      bootOptions: { toggleAllowNetboot: true, bootMode: "netboot" },
    });
    await scene.joined("m");
    expect((await scene.says("m", "UserDataDelivered", "Wiped")).status).toBe("True");
    expect(await scene.userData("m")).toBeUndefined();
    expect((await scene.of(Hardware, "a"))?.metadata.annotations?.[userDataSecret]).toBe("");
    expect((await scene.says("m", "WorkflowSucceeded", "Succeeded")).status).toBe("True");
    expect((await scene.says("m", "HardwareClaimed", "Claimed")).message).toBe(`Hardware ${scene.rack}/a`);
  });

  it("is switched off and let go without a trace", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    off.length = 0;
    await scene.remove("m");
    await scene.gone("m");
    expect(off).toEqual([`${scene.rack}/a-bmc`]);
    expect(await scene.made()).toEqual([]);
    const hardware = await scene.of(Hardware, "a");
    expect(hardware?.metadata.finalizers ?? []).toEqual([]);
    expect(hardware?.metadata.labels).toEqual({ rack: scene.rack });
    expect(hardware?.metadata.annotations ?? {}).toEqual({});
    expect(await scene.userData("m")).toBeUndefined();
  });

  it("is let go at once where there is no board management", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a", { bmcRef: null });
    await scene.machine("m");
    await scene.ready("m");
    await scene.remove("m");
    await scene.gone("m");
    expect((await scene.of(Hardware, "a"))?.metadata.labels).toEqual({ rack: scene.rack });
  });

  it("takes each Hardware once, however many want it", async () => {
    const scene = await RackScene.start(environment);
    const names = ["a", "b", "c", "d"];
    for (const name of names) await scene.machine(`m-${name}`);
    await scene.says("m-a", "HardwareClaimed", "NoHardware");
    await Promise.all(names.map((name) => scene.hardware(name)));
    const ready = await Promise.all(names.map((name) => scene.ready(`m-${name}`)));
    expect(new Set(ready.map(({ spec }) => spec?.hardwareName))).toEqual(new Set(names));
  });

  it("takes what it prefers most, and nothing that it may not have", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a", {}, { labels: { kind: "slow" } });
    await scene.hardware("b", {}, { labels: { kind: "fast" } });
    await scene.hardware("c", {}, { labels: { kind: "forbidden", disk: "nvme" } });
    const term = (matchLabels: object) => ({ labelSelector: { matchLabels: { rack: scene.rack, ...matchLabels } } });
    await scene.machine("m", {
      hardwareAffinity: {
        required: [term({ kind: "slow" }), term({ kind: "fast" })],
        preferred: [
          { weight: 10, hardwareAffinityTerm: term({ kind: "fast" }) },
          { weight: 100, hardwareAffinityTerm: term({ disk: "nvme" }) },
        ],
      },
    });
    expect((await scene.ready("m")).spec?.hardwareName).toBe("b");
  });

  it("stays as it is when it was moved here", async () => {
    const scene = await RackScene.start(environment);
    const taken = { [owner.name]: "m", [owner.namespace]: scene.core.namespace };
    await scene.hardware("a", {}, { labels: taken, annotations: { [provisioned]: "true" } });
    await scene.hardware("b");
    await scene.machine("m", { providerID: `tinkerbell://${scene.rack}/a`, hardwareName: "a" });
    await scene.ready("m");
    await environment.pass(30_000);
    expect(await scene.made()).toEqual([]);
  });

  it("may be of a cluster on another infrastructure", async () => {
    const scene = await RackScene.start(environment, { elsewhere: true });
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    expect((await scene.of(Template, "m"))?.spec?.data).toContain("/ubuntu-2004:v1.34.1.gz");
  });

  it("is installed although an earlier one left its mark on the Hardware", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a", {}, { annotations: { [provisioned]: "true" } });
    await scene.machine("m");
    await scene.ready("m");
    expect(await scene.made()).toEqual(["Template m", "Workflow m"]);
  });
});

describe("a Template", () => {
  it("comes from the Hardware's annotation", async () => {
    const scene = await RackScene.start(environment);
    await scene.machine("m");
    await scene.hardware("a", {}, { annotations: { "hardware.tinkerbell.org/capt-template-override": "own" } });
    const { message } = await scene.says("m", "Ready", "TemplateMissing");
    expect(message).toContain(`Template ${scene.rack}/own`);
    await environment.client.create(Template, {
      apiVersion: "tinkerbell.org/v1alpha1",
      kind: "Template",
      metadata: { namespace: scene.rack, name: "own" },
      spec: { data: "mine" },
    });
    await scene.ready("m");
    expect((await scene.of(Template, "m"))?.spec?.data).toBe("mine");
  });

  it("is made anew when its Workflow failed and was deleted", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    mood.failure = "no such disk";
    await scene.machine("m", { templateOverride: "first" });
    const { message } = await scene.says("m", "WorkflowSucceeded", "ActionFailed");
    expect(message).toContain('the action "write" failed: no such disk');
    expect((await scene.says("m", "Ready", "ActionFailed")).message).toContain("delete the Workflow");
    mood.failure = undefined;
    await scene.core.patch(TinkerbellMachine, "m", { spec: { templateOverride: "second" } });
    await environment.client.delete(Workflow, { namespace: scene.rack, name: "m" });
    await scene.ready("m");
    expect((await scene.of(Template, "m"))?.spec?.data).toBe("second");
  });
});

describe("what stands in the way", () => {
  it("is an affinity of more terms than are asked of every Hardware", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    const term = { labelSelector: { matchLabels: { rack: scene.rack } } };
    await scene.machine("m", { hardwareAffinity: { required: Array.from({ length: 101 }, () => term) } });
    expect((await scene.says("m", "HardwareClaimed", "NoHardware")).message).toContain("has 101 terms");
    await scene.core.patch(TinkerbellMachine, "m", { spec: { hardwareAffinity: { required: [term] } } });
    await scene.ready("m");
  });

  it("is Hardware that a machine names and that is not there, or taken", async () => {
    const scene = await RackScene.start(environment);
    await scene.machine("m", { hardwareName: "z" });
    expect((await scene.says("m", "HardwareClaimed", "NoHardware")).message).toContain("there is no Hardware z");
    await scene.hardware("z", {}, { labels: { [owner.name]: "other", [owner.namespace]: "elsewhere" } });
    await environment.eventually(TinkerbellMachine, scene.core.key("m"), (object) =>
      JSON.stringify(object?.status).includes("is taken by a machine of another namespace"),
    );
    await environment.client.patch(
      Hardware,
      { namespace: scene.rack, name: "z" },
      { type: "merge", body: { metadata: { labels: { [owner.name]: null, [owner.namespace]: null } } } },
    );
    await scene.ready("m");
  });

  it.each([
    ["an address", { interfaces: [{ dhcp: { mac: "52:54:00:00:00:01" } }] }, "spec.interfaces[0].dhcp.ip.address"],
    ["an agent", { interfaces: [{ dhcp: { ip: { address: "10.3.0.1" } } }] }, "spec.agentID"],
    ["a disk", { disks: [] }, "spec.disks[0].device"],
  ])("is Hardware without %s, which is not claimed", async (_, spec, field) => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a", spec);
    await scene.machine("m");
    const { message } = await scene.says("m", "HardwareClaimed", "HardwareNotUsable");
    expect(message).toContain(`Hardware ${scene.rack}/a`);
    expect(message).toContain(field);
    expect((await scene.of(Hardware, "a"))?.metadata.labels).toEqual({ rack: scene.rack });
    await scene.remove("m");
    await scene.gone("m");
  });

  it("is a Machine without a version", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    await scene.machine("m", {}, { version: null });
    const { message } = await scene.says("m", "Ready", "VersionMissing");
    expect(message).toContain("spec.version");
    await scene.core.patch(MachineResource, "m", { spec: { version: "v1.34.1" } });
    await scene.ready("m");
  });

  it("is board management that cannot be reached, or is not there, before the machine boots and when it goes", async () => {
    const scene = await RackScene.start(environment);
    const key = { namespace: scene.rack, name: "a-bmc" };
    const contactable = (status: string, message = ""): Promise<unknown> => {
      const body = { status: { conditions: [{ type: "Contactable", status, message }] } };
      return environment.client.patch(BmcMachine, key, { type: "merge", body }, { subresource: "status" });
    };
    await scene.hardware("a");
    mood.stuck = true;
    await scene.machine("m");
    const missing = await scene.says("m", "Ready", "BoardManagementUnreachable");
    expect(missing.message).toContain(`there is no Machine ${scene.rack}/a-bmc of the group bmc.tinkerbell.org`);
    await environment.client.create(BmcMachine, {
      apiVersion: "bmc.tinkerbell.org/v1alpha1",
      kind: "Machine",
      metadata: key,
    });
    await scene.says("m", "Ready", "WaitingForAgent");
    await contactable("False", "the credentials were refused");
    const refused = await scene.says("m", "WorkflowSucceeded", "BoardManagementUnreachable");
    expect(refused.message).toContain("the credentials were refused");
    await contactable("True");
    mood.stuck = false;
    await scene.ready("m");
    mood.stuck = true;
    await contactable("False", "no route to host");
    await scene.remove("m");
    const { message } = await scene.says("m", "PoweredOff", "BoardManagementUnreachable");
    expect(message).toContain("no route to host");
    expect(message).toContain("capstan.dev/skip-power-off=true");
    mood.stuck = false;
    await contactable("True");
    await scene.gone("m");
  });

  it("is board management that does not answer, until it does", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    mood.bmcFailure = "connection refused";
    await scene.remove("m");
    const { message, status } = await scene.says("m", "PoweredOff", "PowerOffFailed");
    expect(status).toBe("False");
    expect(message).toContain("connection refused");
    expect(message).toContain("capstan.dev/skip-power-off=true");
    expect(await scene.userData("m"), "secrets go first").toBeUndefined();
    const first = await scene.of(BmcJob, "m-poweroff");
    await environment.until(async () => {
      const job = await scene.of(BmcJob, "m-poweroff");
      return job !== undefined && job.metadata.uid !== first?.metadata.uid;
    });
    mood.bmcFailure = undefined;
    await scene.gone("m");
    expect(await scene.made()).toEqual([]);
  });

  it("is left behind where a user says so", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    mood.bmcFailure = "connection refused";
    await scene.remove("m");
    await scene.says("m", "PoweredOff", "PowerOffFailed");
    const annotations = { "capstan.dev/skip-power-off": "true" };
    await scene.core.patch(TinkerbellMachine, "m", { metadata: { annotations } });
    await scene.gone("m");
    expect(await scene.made()).toEqual([]);
    expect((await scene.of(Hardware, "a"))?.metadata.labels).toEqual({ rack: scene.rack });
  });

  it("is Hardware that was deleted: the machine goes without it", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    const key = { namespace: scene.rack, name: "a" };
    await environment.client.patch(Hardware, key, { type: "merge", body: { metadata: { finalizers: null } } });
    await environment.client.delete(Hardware, key);
    await scene.says("m", "Ready", "InstanceMissing");
    await scene.remove("m");
    await scene.gone("m");
    expect(await scene.made()).toEqual([]);
  });
});
