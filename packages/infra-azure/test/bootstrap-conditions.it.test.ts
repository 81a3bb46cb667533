import { ClusterResource, conditionOf, deprecatedConditionsOf, MachineResource } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AzureMachine } from "../src/api.ts";
import { oneMachine } from "./machine-scene.ts";
import { startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const checked = { disableVMBootstrapExtension: false };
const minutes = 60_000;
const within = (wait: string) => ({ "capstan.dev/bootstrap-report": wait });

/** A condition in the words of `v1beta1`, which upstream's users read. */
const older = (machine: AzureMachine, type: string) => {
  const found = deprecatedConditionsOf(machine, "v1beta1").find((each) => each.type === type);
  return found === undefined ? undefined : [found.status, found.reason, found.severity].filter(Boolean).join(" ");
};
const newer = (machine: AzureMachine, type: string) => {
  const found = conditionOf(machine, type, "v1beta1");
  return found === undefined ? undefined : `${found.status} ${found.reason}`;
};

const failing = {
  machine: "m",
  extension: { exit: 1, stdout: "capstan-bootstrap-check/v1 failed\nerror execution phase preflight: no disk\n" },
};
const hanging = { machine: "m", agent: "missing", bootstrap: "hang" } as const;

describe("what is said of bootstrapping", () => {
  it.each([
    ["failed", failing, "20m", "False Failed"],
    ["timed out", hanging, "2m", "False TimedOut"],
  ])("in both generations, of one that %s: upstream's reasons, and that the machine is not ready", async (...row) => {
    const [, plan, wait, verdict] = row;
    await using scene = await oneMachine(environment);
    scene.cloud.simulator.guestPlans.add(plan);
    await scene.create(checked, within(wait));
    await scene.managers.start();
    const going = await scene.is((found) => newer(found, "BootstrapSucceeded") === "Unknown InProgress");
    expect(older(going, "BootstrapSucceeded")).toBe("Unknown BootstrapInProgress");
    expect([going.status?.ready, newer(going, "Ready"), older(going, "Ready")]).toEqual([true, "True Ready", "True"]);
    const ended = await scene.is((found) => newer(found, "BootstrapSucceeded") === verdict);
    expect(older(ended, "BootstrapSucceeded")).toBe("False BootstrapFailed Error");
    expect(newer(ended, "Ready")).toBe("False BootstrapFailed");
    expect(older(ended, "Ready")).toBe("False BootstrapFailed Error");
    expect(ended.status).toMatchObject({ ready: false, initialization: { provisioned: true } });
    expect(conditionOf(ended, "Ready", "v1beta1")?.message).toBe(
      conditionOf(ended, "BootstrapSucceeded", "v1beta1")?.message,
    );
    await scene.managers.stopAll();
    await scene.managers.start();
    await scene.pass(10 * minutes);
    const later = await scene.get();
    expect([newer(later, "Ready"), later.status?.ready, newer(later, "Provisioned")]).toEqual([
      "False BootstrapFailed",
      false,
      "True Provisioned",
    ]);
    expect(later.metadata.resourceVersion, "nothing is written any more").toBe(ended.metadata.resourceVersion);
  });

  it("is that the machine is ready after all, once its Node has joined late", async () => {
    await using scene = await oneMachine(environment);
    await scene.create({}, within("2m"));
    await scene.managers.start();
    await scene.is((found) => newer(found, "Ready") === "False BootstrapFailed");
    await scene.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "m" });
    const machine = await scene.is((found) => newer(found, "BootstrapSucceeded") === "True Succeeded");
    expect([newer(machine, "Ready"), older(machine, "Ready"), machine.status?.ready]).toEqual([
      "True Ready",
      "True",
      true,
    ]);
  });
});

describe("a machine that never boots", () => {
  const never = { machine: "m", boot: "never", console: "dracut: waiting for /dev/sda1" } as const;

  it.each([
    ["while Azure still waits for it", false],
    ["also when the operation is lost", true],
  ])("says so within its time, %s", async (_case, vanishes) => {
    await using scene = await oneMachine(environment);
    const { faults, guestPlans } = scene.cloud.simulator;
    guestPlans.add(never);
    const action = { kind: "operation-vanishes" } as const;
    if (vanishes) faults.add({ method: "PUT", path: /\/virtualMachines\/m$/i, action });
    await scene.create(checked, within("3m"));
    await scene.managers.start();
    const made = await scene.is(() => scene.cloud.simulator.state.resources.some(({ name }) => name === "m"));
    expect(older(made, "BootstrapSucceeded")).toBeUndefined();
    const late = await scene.is((found) => older(found, "BootstrapSucceeded") !== undefined, 3.5 * minutes);
    expect([older(late, "BootstrapSucceeded"), newer(late, "BootstrapSucceeded")]).toEqual([
      "False BootstrapFailed Error",
      "False TimedOut",
    ]);
    const message = conditionOf(late, "BootstrapSucceeded", "v1beta1")?.message ?? "";
    expect(message).toContain("the server has not come up within 3 min");
    expect(message).toContain("dracut: waiting for /dev/sda1");
    expect(newer(late, "Ready")?.startsWith("False")).toBe(true);
    expect(late.status?.ready ?? false).toBe(false);
  });
});

it("a virtual machine that was deleted at Azure is not ready, to both generations", async () => {
  await using scene = await oneMachine(environment);
  await scene.create();
  await scene.managers.start();
  await scene.isReady();
  const { simulator } = scene.cloud;
  const { id } = simulator.state.resources.find(({ type }) => type.endsWith("/virtualMachines"))!;
  await scene.cloud.call("DELETE", id);
  const gone = await scene.is((found) => found.status?.vmState === "Deleted", 10 * minutes);
  expect([newer(gone, "Ready"), older(gone, "Ready"), gone.status?.ready]).toEqual([
    "False VMDeleted",
    "False VMDeleted Error",
    false,
  ]);
  expect(gone.status?.failureReason).toBe("UpdateError");
});

it.each([
  ["Linux", "CAPZ.Linux.Bootstrapping"],
  ["Windows", "CAPZ.Windows.Bootstrapping"],
])(
  "the request log shows the whole command of the extension, with the path of the sentinel: %s",
  async (osType, name) => {
    await using scene = await oneMachine(environment);
    await scene.create({ ...checked, osDisk: { osType } });
    await scene.managers.start();
    await scene.verdict("Succeeded");
    const put = scene.cloud.simulator.requests.log.find(({ method, path }) => method === "PUT" && path.endsWith(name));
    expect(put?.body).toMatchObject({
      properties: {
        protectedSettings: {
          commandToExecute: expect.stringContaining("/run/cluster-api/bootstrap-success.complete") as string,
        },
      },
    });
  },
);

it("VMRunning says what a machine waits for: its cluster, then its bootstrap data", async () => {
  await using scene = await oneMachine(environment);
  const { core } = scene;
  await core.setStatus(ClusterResource, core.clusterName, "status.initialization", {
    infrastructureProvisioned: false,
  });
  await scene.create();
  await core.patch(MachineResource, "m", { spec: { bootstrap: { dataSecretName: null } } });
  await scene.managers.start();
  await scene.is((found) => older(found, "VMRunning") === "False WaitingForClusterInfrastructure Info");
  await core.infrastructureProvisioned();
  await scene.is((found) => older(found, "VMRunning") === "False WaitingForBootstrapData Info");
  await core.patch(MachineResource, "m", { spec: { bootstrap: { dataSecretName: "m" } } });
  await scene.is((found) => older(found, "VMRunning") === "True");
});

it.each([["the virtual machine"], ["its resource group"]])(
  "a lock that is taken off %s lets deletion go on within a minute",
  async (where) => {
    await using scene = await oneMachine(environment);
    await scene.create();
    await scene.managers.start();
    await scene.isReady();
    const { simulator } = scene.cloud;
    const { id } = simulator.state.resources.find(({ type }) => type.endsWith("/virtualMachines"))!;
    const scope = where === "the virtual machine" ? id : id.split("/providers/")[0]!;
    const lock = `${scope}/providers/Microsoft.Authorization/locks/keep`;
    await scene.cloud.call("PUT", lock, { properties: { level: "CanNotDelete" } });
    await environment.client.delete(AzureMachine, scene.core.key("m"));
    const held = await scene.is((found) => newer(found, "Ready") === "False ScopeLocked");
    expect(conditionOf(held, "Ready", "v1beta1")?.message).toContain("remove the lock at Azure");
    await scene.pass(30 * minutes);
    await scene.cloud.call("DELETE", lock);
    await environment.eventually(AzureMachine, scene.core.key("m"), (found) => found === undefined, minutes);
  },
);
