import { readFileSync } from "node:fs";
import { join } from "node:path";
import { conditionOf, ConditionType, SecretResource } from "@capstan/contract/wire";
import { AzureMachine } from "@capstan/infra-azure/api";
import { type AzureSimulation, createSimulation } from "@capstan/sim-azure";
import type { KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestSystemOn, type TestSystem } from "./test-system.ts";

/** The example without its workers. */
const example = readFileSync(join(import.meta.dirname, "../../../examples/azure/failing-bootstrap.yaml"), "utf8");
const controlPlane = example.slice(
  0,
  example.indexOf("---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: MachineDeployment"),
);

/** A worker of its own, with more in the spec of its AzureMachine, and annotations. */
const worker = (name: string, spec: object, annotations: object = {}): string => `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: ${name}
  labels: { cluster.x-k8s.io/cluster-name: willow }
spec:
  clusterName: willow
  version: v1.35.4
  bootstrap: { configRef: { apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: ${name} } }
  infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AzureMachine, name: ${name} }
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfig
metadata:
  name: ${name}
spec:
  joinConfiguration:
    nodeRegistration:
      name: '{{ ds.meta_data["local_hostname"] }}'
      kubeletExtraArgs: [{ name: cloud-provider, value: external }]
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureMachine
metadata:
  name: ${name}
  annotations: ${JSON.stringify(annotations)}
spec: ${JSON.stringify({ vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux", diskSizeGB: 64 }, sshPublicKey: "", ...spec })}
`;

const checked = { disableVMBootstrapExtension: false };
const script = (name: string, commandToExecute: string) => ({
  vmExtensions: [{ name, publisher: "Microsoft.Azure.Extensions", version: "2.1", settings: { commandToExecute } }],
});
/** In any cloud of Azure, and without an extension. */
const byCommand = { "capstan.dev/bootstrap-checker": "run-command" };
const twoMinutes = { "capstan.dev/bootstrap-report": "2m" };

let system: TestSystem<AzureSimulation>;
beforeAll(async () => {
  const workers = [
    worker("both", { ...checked, ...script("CustomScript", "true") }),
    worker("other", script("CustomScript", "false")),
    worker("plain", {}),
    worker("closed", { disableExtensionOperations: true, disableVMBootstrapExtension: false }),
    worker("unasked", checked, { "capstan.dev/bootstrap-report": "false" }),
    worker("hanging", checked, twoMinutes),
    worker("silent", checked, twoMinutes),
    worker("lost", {}, twoMinutes),
    worker("looked-into", {}, byCommand),
    worker("stuck", {}, { ...byCommand, ...twoMinutes }),
    worker("broken", {}, byCommand),
  ];
  system = await startTestSystemOn(
    {
      azure: async (outside) => {
        const simulation = await createSimulation(outside);
        const { guestPlans } = simulation.simulator;
        guestPlans.add({ machine: "hanging", bootstrap: "hang", console: "Booting Linux" });
        guestPlans.add({ machine: "silent", agent: "missing", bootstrap: "hang", console: "no agent here" });
        guestPlans.add({ machine: "stuck", bootstrap: "hang", console: "waiting" });
        guestPlans.add({ machine: "broken", sentinel: "missing" });
        guestPlans.add({ machine: "lost", bootstrap: "hang", console: "waiting for \u001B[1mthe disk\u001B[0m" });
        return simulation;
      },
    },
    `${controlPlane}${workers.join("")}`,
  );
});
afterAll(() => system[Symbol.asyncDispose]());

const machine = (name: string): Promise<KubeObject> =>
  system.running.client.get<KubeObject>(AzureMachine, { namespace: "default", name });
const verdict = async (name: string) => conditionOf(await machine(name), ConditionType.bootstrapSucceeded, "v1beta1");
const untilVerdict = async (name: string, status: string, reason: string) => {
  await system.until(async () => {
    const found = await verdict(name);
    return found?.status === status && (found.reason === reason || status === "True");
  });
  return (await verdict(name))?.message ?? "";
};
const extensionsOf = (vm: string): readonly string[] =>
  system.simulator.state.resources
    .filter(({ id, type }) => type.endsWith("/extensions") && id.includes(`/virtualMachines/${vm}/`))
    .map(({ name }) => name)
    .toSorted();
const bootstrapping = "CAPZ.Linux.Bootstrapping";

it("the check is an extension of its own, beside the user's custom script", async () => {
  await untilVerdict("both", "True", "Succeeded");
  expect(extensionsOf("both")).toEqual([bootstrapping, "CustomScript"]);
});

it("the failure of another extension is no failure of bootstrapping", async () => {
  await untilVerdict("other", "True", "Succeeded");
  await system.until(async () => conditionOf(await machine("other"), "VMExtensionsReady")?.status === "False");
  expect(conditionOf(await machine("other"), "VMExtensionsReady")?.message).toContain("CustomScript");
  const vm = system.simulator.state.resources.find(({ name }) => name === "other");
  expect(vm?.state).toBe("Failed");
  expect((await machine("other"))["status"]).not.toHaveProperty("failureReason");
});

it("boot diagnostics are on where nothing is said of them", async () => {
  await untilVerdict("plain", "True", "Succeeded");
  const vms = system.simulator.state.resources.filter(({ type }) => type.endsWith("/virtualMachines"));
  expect(vms).toHaveLength(12);
  for (const { properties } of vms) {
    expect(properties).toMatchObject({ diagnosticsProfile: { bootDiagnostics: { enabled: true } } });
  }
});

it("users leave out this extension, or all, and the Node says that bootstrapping succeeded", async () => {
  await untilVerdict("plain", "True", "Succeeded");
  expect(extensionsOf("plain")).toEqual([]);
  await untilVerdict("closed", "True", "Succeeded");
  expect(extensionsOf("closed")).toEqual([]);
  const vm = system.simulator.state.resources.find(({ name }) => name === "closed");
  expect(vm?.properties).toMatchObject({ osProfile: { allowExtensionOperations: false } });
});

const commandsIn = (vm: string): number =>
  system.simulator.requests.log.filter(({ path }) => path.toLowerCase().endsWith(`/virtualmachines/${vm}/runcommand`))
    .length;

it("by run commands the sentinel is looked for from outside, and nothing stays in the machine", async () => {
  await untilVerdict("looked-into", "True", "Succeeded");
  expect(extensionsOf("looked-into")).toEqual([]);
  expect(commandsIn("looked-into")).toBeGreaterThan(0);
});

it("by run commands a boot that ends without the sentinel has failed, with the end of its log", async () => {
  const message = await untilVerdict("broken", "False", "Failed");
  expect(message).toMatch(/^bootstrapping failed: /);
  expect(message).toContain("End of the log");
});

it("by run commands a boot that does not end has timed out, and is looked into no oftener than twice a minute", async () => {
  await untilVerdict("stuck", "False", "TimedOut");
  expect(commandsIn("stuck")).toBeGreaterThan(1);
  expect(commandsIn("stuck")).toBeLessThanOrEqual(5);
});

it("users ask for no verdict at all", async () => {
  await system.condition(AzureMachine, "unasked", { type: "Ready", status: "True" });
  expect(await verdict("unasked")).toBeUndefined();
  expect(extensionsOf("unasked")).toEqual([]);
});

it("a check that finds no sentinel in the time that the annotation gives has timed out", async () => {
  const message = await untilVerdict("hanging", "False", "TimedOut");
  expect(message).toMatch(/^the server has not reported a bootstrap result within 2 min\nEnd of the log:\n/);
  expect(message).toContain("Booting Linux");
});

it.each([
  ["where no agent ever answers", "silent", "no agent here"],
  ["where nobody inside is asked", "lost", "waiting for the disk"],
])("the serial console tells how far it came %s", async (_case, name, line) => {
  const message = await untilVerdict(name, "False", "TimedOut");
  expect(message).toContain(`End of the log:\n${line}`);
  const key = { namespace: "default", name: `${name}-bootstrap-log` };
  const { log } = (await system.running.client.get<KubeObject>(SecretResource, key))["data"] as { log: string };
  expect(Buffer.from(log, "base64").toString()).toBe(line);
});

it("nothing is written any more once everything is said, and only a check that goes on is asked for, rarely", async () => {
  await system.quiet();
  const { requests } = system.simulator;
  const before = requests.log.length;
  await system.pass(60_000);
  const asked = requests.log
    .slice(before)
    .filter(({ path }) => /extensions\/CAPZ|retrieveBootDiag|runCommand/i.test(path));
  const since = asked.filter(({ path }) => !/\/stuck\/runCommand$/i.test(path));
  expect(since.length).toBeLessThanOrEqual(2);
  for (const { method, path } of since) {
    expect(`${method} ${path}`).toMatch(/^GET .*\/(?:silent|hanging)\/extensions\//);
  }
  expect(asked.length - since.length, "a machine that may still succeed is looked into").toBeLessThanOrEqual(2);
  expect(requests.violations).toEqual([]);
});
