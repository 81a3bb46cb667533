import {
  ClusterResource,
  MachineDeploymentResource,
  MachineSetResource,
  SecretResource,
  stageText,
} from "@capstan/contract/wire";
import { condensed, objectTree, readTree } from "@capstan/inspect";
import { connect, createDiscovery, loadKubeconfig } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DescribeOptions } from "../src/describe/describe-command.ts";
import { showTree } from "../src/describe/run-describe.ts";
import { renderTree, treeJson } from "../src/describe/render.ts";
import type { KubeObject } from "@capstan/schema";
import { aloneExample } from "./alone.ts";
import { startTestSystem, type TestSystem } from "./test-system.ts";

const describeOptions: DescribeOptions = {
  kind: "cluster",
  name: "orchid",
  namespace: "default",
  kubeconfig: undefined,
  context: undefined,
  dataDir: undefined,
  watch: false,
  output: "text",
  showConditions: [],
  grouping: true,
  echo: false,
};

/** The tree of the example's Cluster, without what differs from run to run: random names and times. */
const shown = async (
  { running, clock }: TestSystem,
  options: { readonly echo?: true; readonly showConditions?: readonly string[] } = {},
): Promise<string> => {
  const { client } = running;
  const source = { list: async (kind: Parameters<typeof client.list>[0]) => (await client.list(kind)).items };
  const what = { resource: ClusterResource, namespace: "default", name: "orchid" };
  const tree = await readTree(source, createDiscovery(client), what);
  const text = renderTree(condensed(tree, { grouping: true, echo: options.echo === true }), {
    now: clock.now(),
    colour: false,
    showConditions: options.showConditions ?? [],
  });
  return text
    .replaceAll(/orchid-workers(-[a-z0-9]{5,10}){1,2}/g, (name) =>
      name.split("-").length === 4 ? "orchid-workers-SET-ONE" : "orchid-workers-SET",
    )
    .replaceAll(/ \d+[smhd]( |\n)/g, " AGO$1")
    .replaceAll(/\b\d{6,}\b/g, "ID")
    .replaceAll(/ {2,}/g, "  ");
};

describe("capstan describe", () => {
  let system: TestSystem;
  beforeAll(async () => {
    // Without the token nothing can be made: the first stage stands still.
    system = await startTestSystem(aloneExample().replace("apiToken: ${LINODE_TOKEN}", "apiToken: wrong"));
  });
  afterAll(() => system[Symbol.asyncDispose]());

  it("says what holds up a Cluster whose infrastructure cannot be made", async () => {
    await system.untilReason("token");
    await system.quiet();
    expect(await shown(system)).toMatchInlineSnapshot(`
      "NAME  READY  STATUS  REASON  SINCE  MESSAGE
      Cluster/orchid  Available: False  NotAvailable  AGO  * RemoteConnectionProbe: Remote connection not established yet
        * InfrastructureReady: could not look for the NodeBalancer: [401] Invalid Token; check the token under the key apiToken (credentials: Secret default/orchid-credentials)
        * ControlPlaneAvailable: Waiting for a control plane Machine to have its Node
        * WorkersAvailable:
        * MachineDeployment orchid-workers: 0 available replicas, at least 3 required (spec.strategy.rollout.maxUnavailable is 0, spec.replicas is 3)
      ├─ClusterInfrastructure - LinodeCluster/orchid  Ready: False  LinodeUnauthorized  AGO  could not look for the NodeBalancer: [401] Invalid Token; check the token under the key apiToken (credentials: Secret default/orchid-credentials)
      ├─ControlPlane
      │ └─Machine/orchid-control-plane-0  Ready: False  NotReady  AGO  * BootstrapConfigReady:
        * DataSecretAvailable: the Cluster's infrastructure is not provisioned yet
        * InfrastructureReady: the Cluster's infrastructure is not provisioned yet
        * NodeHealthy: Waiting for Cluster status.initialization.infrastructureProvisioned to be true
      │  ├─BootstrapConfig - KubeadmConfig/orchid-control-plane-0  Ready: False  NotReady  AGO  * DataSecretAvailable: the Cluster's infrastructure is not provisioned yet
      │  └─MachineInfrastructure - LinodeMachine/orchid-control-plane-0  Ready: False  WaitingForClusterInfrastructure  AGO  the Cluster's infrastructure is not provisioned yet
      └─Workers
        └─MachineDeployment/orchid-workers  0/3  Available: False  NotAvailable  AGO  0 available replicas, at least 3 required (spec.strategy.rollout.maxUnavailable is 0, spec.replicas is 3)
        └─MachineSet/orchid-workers-SET  0/3  MachinesReady: False  NotReady  AGO  * Machines orchid-workers-SET-ONE, orchid-workers-SET-ONE, orchid-workers-SET-ONE:
        * BootstrapConfigReady:
        * DataSecretAvailable: the Cluster's infrastructure is not provisioned yet
        * InfrastructureReady: the Cluster's infrastructure is not provisioned yet
        * NodeHealthy: Waiting for Cluster status.initialization.infrastructureProvisioned to be true
        ├─Machine/orchid-workers-SET-ONE  Ready: False  NotReady  AGO  * BootstrapConfigReady:
        * DataSecretAvailable: the Cluster's infrastructure is not provisioned yet
        * InfrastructureReady: the Cluster's infrastructure is not provisioned yet
        * NodeHealthy: Waiting for Cluster status.initialization.infrastructureProvisioned to be true
        │ ├─BootstrapConfig - KubeadmConfig/orchid-workers-SET-ONE  Ready: False  NotReady  AGO  * DataSecretAvailable: the Cluster's infrastructure is not provisioned yet
        │ └─MachineInfrastructure - LinodeMachine/orchid-workers-SET-ONE  Ready: False  WaitingForClusterInfrastructure  AGO  the Cluster's infrastructure is not provisioned yet
        ├─Machine/orchid-workers-SET-ONE  Ready: False  NotReady  AGO  * BootstrapConfigReady:
        * DataSecretAvailable: the Cluster's infrastructure is not provisioned yet
        * InfrastructureReady: the Cluster's infrastructure is not provisioned yet
        * NodeHealthy: Waiting for Cluster status.initialization.infrastructureProvisioned to be true
        │ ├─BootstrapConfig - KubeadmConfig/orchid-workers-SET-ONE  Ready: False  NotReady  AGO  * DataSecretAvailable: the Cluster's infrastructure is not provisioned yet
        │ └─MachineInfrastructure - LinodeMachine/orchid-workers-SET-ONE  Ready: False  WaitingForClusterInfrastructure  AGO  the Cluster's infrastructure is not provisioned yet
        └─Machine/orchid-workers-SET-ONE  Ready: False  NotReady  AGO  * BootstrapConfigReady:
        * DataSecretAvailable: the Cluster's infrastructure is not provisioned yet
        * InfrastructureReady: the Cluster's infrastructure is not provisioned yet
        * NodeHealthy: Waiting for Cluster status.initialization.infrastructureProvisioned to be true
        ├─BootstrapConfig - KubeadmConfig/orchid-workers-SET-ONE  Ready: False  NotReady  AGO  * DataSecretAvailable: the Cluster's infrastructure is not provisioned yet
        └─MachineInfrastructure - LinodeMachine/orchid-workers-SET-ONE  Ready: False  WaitingForClusterInfrastructure  AGO  the Cluster's infrastructure is not provisioned yet
      "
    `);
  });

  it("shows Machines that run as one line", async () => {
    await system.running.client.patch(
      SecretResource,
      { namespace: "default", name: "orchid-credentials" },
      { type: "merge", body: { stringData: { apiToken: system.simulator.token } } },
    );
    await system.untilRunning();
    await system.quiet();
    expect(await shown(system)).toMatchInlineSnapshot(`
      "NAME  READY  STATUS  REASON  SINCE  MESSAGE
      Cluster/orchid  Available: True  Available  AGO
      ├─ClusterInfrastructure - LinodeCluster/orchid  Ready: True  Ready  AGO
      ├─ControlPlane
      │ └─Machine/orchid-control-plane-0  Ready: True  Ready  AGO
      └─Workers
        └─MachineDeployment/orchid-workers  3/3  Available: True  Available  AGO
        └─MachineSet/orchid-workers-SET  3/3  MachinesReady: True  Ready  AGO
        └─3 Machines...  Ready: True  Ready  AGO  See orchid-workers-SET-ONE, orchid-workers-SET-ONE, orchid-workers-SET-ONE
      "
    `);
    expect(await shown(system, { echo: true, showConditions: ["LinodeCluster"] })).toMatchInlineSnapshot(`
      "NAME  READY  STATUS  REASON  SINCE  MESSAGE
      Cluster/orchid  Available: True  Available  AGO
      ├─ClusterInfrastructure - LinodeCluster/orchid  Ready: True  Ready  AGO
      │ ├─Ready  True  Ready  AGO
      │ ├─Provisioned  True  Provisioned  AGO
      │ ├─Owned  True  Owned  AGO  NodeBalancer ID
      │ └─Paused  False  NotPaused  AGO
      ├─ControlPlane
      │ └─Machine/orchid-control-plane-0  Ready: True  Ready  AGO
      │  ├─BootstrapConfig - KubeadmConfig/orchid-control-plane-0  Ready: True  Ready  AGO
      │  └─MachineInfrastructure - LinodeMachine/orchid-control-plane-0  Ready: True  Ready  AGO
      └─Workers
        └─MachineDeployment/orchid-workers  3/3  Available: True  Available  AGO
        └─MachineSet/orchid-workers-SET  3/3  MachinesReady: True  Ready  AGO
        └─3 Machines...  Ready: True  Ready  AGO  See orchid-workers-SET-ONE, orchid-workers-SET-ONE, orchid-workers-SET-ONE
      "
    `);
  });

  it("shows every kind, by the words that kubectl takes", async () => {
    const access = await loadKubeconfig({ file: system.running.kubeconfig });
    const connection = connect({ access, clock: systemClock });
    const { signal } = new AbortController();
    const text = async (kind: string, name: string, namespace = "default"): Promise<string> => {
      const written: string[] = [];
      const screen = { write: (part: string) => void written.push(part), colour: false };
      await showTree(connection, { ...describeOptions, kind, name, namespace }, { screen, signal });
      return written.join("");
    };
    const { items: sets } = await system.running.client.list(MachineSetResource);
    const set = sets[0]?.metadata.name ?? "";
    expect(await text("md", "orchid-workers")).toMatch(/^NAME.*\nMachineDeployment\/orchid-workers .*\n└─MachineSet\//);
    for (const word of ["ms", "machineset", "MachineSets"]) {
      expect(await text(word, set)).toMatch(/\nMachineSet\/\S+ +3\/3 .*\n└─3 Machines\.\.\./);
    }
    expect(await text("m", "orchid-control-plane-0")).toContain("MachineInfrastructure - LinodeMachine/");
    expect(await text("linodecluster", "orchid")).toMatch(/\nLinodeCluster\/orchid +Ready: True.*\n├─Ready +True/);
    expect(await text("KubeadmConfigTemplate", "orchid-workers")).toMatch(
      /^NAME.*\nKubeadmConfigTemplate\/orchid-workers\n$/,
    );
    expect(await text("ns", "default")).toMatch(/^NAME.*\nNamespace\/default/);
    await expect(text("moon", "a")).rejects.toThrow(
      /the server has no kind moon; of Cluster API it has .*machinedeployment/,
    );
    await expect(text("machinedeplyoment", "orchid-workers")).rejects.toThrow(
      "the server has no kind machinedeplyoment; did you mean machinedeployment?",
    );
    await expect(text("md", "nobody")).rejects.toThrow(
      "there is no MachineDeployment nobody in namespace default; choose another with --namespace",
    );
    await expect(text("md", "orchid-worker")).rejects.toThrow("; did you mean orchid-workers?");
    await expect(text("md", "orchid-workers", "team")).rejects.toThrow(
      "there is no MachineDeployment orchid-workers in namespace team; there is one in namespace default; add --namespace",
    );
    await expect(text("node", "nobody")).rejects.toThrow(/there is no Node nobody$/);
    await connection.close();
  });

  it("names a template that is missing", async () => {
    const key = { namespace: "default", name: "orchid-workers" };
    const reference = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeMachineTemplate", name: "gone" };
    const template = (infrastructureRef: object) => ({ spec: { template: { spec: { infrastructureRef } } } });
    const { client } = system.running;
    const before = await client.get(MachineDeploymentResource, key);
    await client.patch(MachineDeploymentResource, key, { type: "merge", body: template(reference) });
    expect(await shown(system)).toMatch(
      /MachineDeployment\/orchid-workers .*\n.*Template - LinodeMachineTemplate\/gone +Exists: False +NotFound/,
    );
    const { infrastructureRef } = (before["spec"] as { template: { spec: { infrastructureRef: object } } }).template
      .spec;
    await client.patch(MachineDeploymentResource, key, { type: "merge", body: template(infrastructureRef) });
    await system.untilRunning();
  });

  it("follows a scale-up and a deletion", async () => {
    await system.running.client.patch(
      MachineDeploymentResource,
      { namespace: "default", name: "orchid-workers" },
      { type: "merge", body: { spec: { replicas: 4 } } },
    );
    await system.until(async () => (await shown(system)).includes("MachineDeployment/orchid-workers  3/4"));
    await system.until(async () => /Machine\/orchid-workers-SET-ONE  Ready: (False|Unknown)/.test(await shown(system)));
    expect(await shown(system)).toContain("3 Machines...  Ready: True");
    await system.untilRunning();
    await system.running.client.delete(ClusterResource, { namespace: "default", name: "orchid" });
    await system.until(async () => (await shown(system)).includes("Cluster/orchid  Deleting: True"));
  });
});

it("reports how long a stage lasts", () => {
  const now = Date.UTC(2026, 0, 1, 0, 5);
  const message = `* InfrastructureReady: ${stageText({ name: "booting", since: now - 40_000, number: 3, of: 4 })}`;
  const standing = { type: "Ready", status: "False", reason: "NotReady", message } as const;
  const tree = { role: "", kind: "Machine", name: "a", standing, conditions: [], children: [] };
  expect(renderTree(tree, { now, colour: false, showConditions: [] })).toContain(
    "* InfrastructureReady: booting since 40s (step 3 of 4)\n",
  );
});

it("shows no reason and no time where a condition has none", () => {
  const job: KubeObject = {
    apiVersion: "bmc.tinkerbell.org/v1alpha1",
    kind: "Job",
    metadata: { name: "a" },
    status: { conditions: [{ type: "Completed", status: "True" }] },
  };
  const none = { machines: [], machineSets: [], machineDeployments: [], machinePools: [], healthChecks: [] };
  const tree = objectTree(job, { ...none, find: () => undefined });
  const text = renderTree(tree, { now: Date.UTC(2026, 0), colour: false, showConditions: ["all"] });
  expect(text.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["NAME", "READY", "STATUS", "REASON", "SINCE", "MESSAGE"],
    ["Job/a", "Completed: True"],
    ["└─Completed", "True"],
    [""],
  ]);
});

it("prints the whole tree for programs", () => {
  const condition = { type: "Ready", status: "True", reason: "Ready", message: "", lastTransitionTime: "" } as const;
  const child = { role: "", kind: "", name: "Workers", conditions: [], children: [] };
  const tree = { role: "", kind: "Cluster", name: "a", replicas: "1/2", conditions: [condition], children: [child] };
  expect(treeJson(tree)).toEqual({
    kind: "Cluster",
    name: "a",
    replicas: "1/2",
    conditions: [condition],
    children: [{ name: "Workers", children: [] }],
  });
});
