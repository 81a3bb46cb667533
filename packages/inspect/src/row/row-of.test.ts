import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { machinesVerdict } from "./machines-verdict.ts";
import { rowOf } from "./row-of.ts";

const condition = (type: string, status: string, message = "", reason = "Because") => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: "2026-03-01T00:00:00Z",
});

const machine = (phase: string, conditions: readonly object[] = [], metadata: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Machine",
  metadata: { name: "m", namespace: "default", ...metadata },
  status: { phase, conditions },
});

const set = (kind: string, status: object, conditions: readonly object[]): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "s" },
  spec: { replicas: 3 },
  status: { ...status, conditions },
});

const check = (status: object, allowed: string, message = ""): KubeObject => ({
  apiVersion: "v1",
  kind: "MachineHealthCheck",
  metadata: { name: "h" },
  status: { ...status, conditions: [condition("RemediationAllowed", allowed, message), condition("Paused", "False")] },
});

/** As board management writes it: without reasons, and what is no longer so stays as False. */
const job = (type = "", message = ""): KubeObject => ({
  apiVersion: "v1",
  kind: "Job",
  metadata: { name: "j" },
  status: {
    conditions: [
      ...(type === "Running" || type === "" ? [] : [{ type: "Running", status: "False" }]),
      ...(type === "" ? [] : [{ type, status: "True", message }]),
    ],
  },
});

describe("rowOf", () => {
  it.each([
    [
      "a running machine",
      machine("Running", [condition("Ready", "True")]),
      { state: "Running", detail: "", done: true },
    ],
    [
      "a waiting one, by its most telling condition",
      machine("Pending", [
        condition("Ready", "False", "* X: summary"),
        condition("InfrastructureReady", "False", "no quota"),
      ]),
      { state: "Pending", detail: "no quota", done: false },
    ],
    [
      "a heading with the line below it",
      machine("Pending", [condition("MachinesReady", "False", "* Machine a:\n  * NodeHealthy: not there")]),
      { state: "Pending", detail: "Machine a: NodeHealthy: not there", done: false },
    ],
    [
      "the line that says something, behind those of conditions that are not there yet",
      machine("Pending", [
        condition(
          "BootstrapConfigReady",
          "Unknown",
          "* a:\n  * DataSecretAvailable: Condition not yet reported\n* b:\n  * DataSecretAvailable: Condition not yet reported\n  * CertificatesAvailable: Secret default/prod-etcd does not exist",
        ),
      ]),
      { state: "Pending", detail: "b: CertificatesAvailable: Secret default/prod-etcd does not exist", done: false },
    ],
    [
      "nothing of Machines whose Nodes have said nothing yet, where another says why",
      machine("Pending", [
        condition(
          "MachinesReady",
          "False",
          "* Machines a, b:\n  * NodeHealthy:\n    * Node.Ready: Condition not yet reported\n* Machine c:\n  * NodeHealthy: no Node yet",
        ),
      ]),
      { state: "Pending", detail: "Machine c: NodeHealthy: no Node yet", done: false },
    ],
    [
      "a line of a condition that is not there yet, where there is no other",
      machine("Pending", [condition("NodeHealthy", "Unknown", "* Node.Ready: Condition not yet reported")]),
      { state: "Pending", detail: "Node.Ready: Condition not yet reported", done: false },
    ],
    [
      "a Machine whose server was shut down, although its phase says Running",
      machine("Running", [
        condition("Ready", "False", "* InfrastructureReady: the server is offline"),
        condition("InfrastructureReady", "False", "the server is offline"),
      ]),
      { state: "NotReady", detail: "the server is offline", done: false },
    ],
    [
      "a Machine that is to be replaced and whose cloud does not answer",
      machine("Running", [
        condition("Ready", "False", "* InfrastructureReady: refused"),
        condition("UpToDate", "False", "Version v1, v2 required"),
        condition("InfrastructureReady", "False", "refused"),
      ]),
      { state: "NotReady", detail: "refused", done: false },
    ],
    [
      "a Cluster that is provisioned and not available",
      {
        ...machine("Provisioned", [
          condition("Available", "False", "* WorkersAvailable: 0 of 3"),
          condition("WorkersAvailable", "False", "0 of 3"),
        ]),
        kind: "Cluster",
      },
      { state: "Provisioned", detail: "0 of 3", done: false },
    ],
    [
      "a Cluster that is available",
      { ...machine("Provisioned", [condition("Available", "True")]), kind: "Cluster" },
      { state: "Provisioned", detail: "", done: true },
    ],
    [
      "a deployment none of whose Machines is ready, although its phase says Running",
      set("MachineDeployment", { phase: "Running", replicas: 3 }, [
        condition("Available", "False", "0 available replicas, at least 3 required"),
      ]),
      { state: "0/3 ready", detail: "0 available replicas, at least 3 required", done: false },
    ],
    [
      "a deployment that is available, but not of its present template yet",
      set("MachineDeployment", { replicas: 3, readyReplicas: 3, upToDateReplicas: 1 }, [
        condition("Available", "True"),
      ]),
      { state: "3/3 ready", detail: "1 of 3 Machines are up to date", done: false },
    ],
    [
      "a deployment that is as it should be",
      set("MachineDeployment", { replicas: 3, readyReplicas: 3 }, [condition("Available", "True")]),
      { state: "3/3 ready", detail: "", done: true },
    ],
    [
      "a health check whose Machines are healthy",
      check({ expectedMachines: 3, currentHealthy: 3 }, "True"),
      { state: "3/3 healthy", detail: "", done: true },
    ],
    [
      "a health check one of whose Machines is not",
      check({ expectedMachines: 3, currentHealthy: 2 }, "True"),
      { state: "2/3 healthy", detail: "", done: false },
    ],
    [
      "a health check that gave up",
      check({ expectedMachines: 3, currentHealthy: 0 }, "False", "3 of 3 are unhealthy"),
      { state: "0/3 healthy", detail: "3 of 3 are unhealthy", done: false },
    ],
    [
      "a kind without a summary, all of whose conditions are good",
      {
        ...machine("", [condition("Applied", "True"), condition("Paused", "False")]),
        kind: "X",
        status: { conditions: [condition("Applied", "True"), condition("Paused", "False")] },
      },
      { state: "Ready", detail: "", done: true },
    ],
    [
      "a kind without conditions that says it is there",
      { apiVersion: "v1", kind: "X", metadata: { name: "x" }, status: { initialization: { provisioned: true } } },
      { state: "Ready", detail: "", done: true },
    ],
    [
      "a kind of another group that has its name",
      { ...job("Completed"), apiVersion: "bmc.tinkerbell.org/v1alpha1" },
      { group: "bmc.tinkerbell.org", kind: "Job" },
    ],
    ["a Job that nobody has begun", job(), { state: "Pending", detail: "", done: false }],
    ["a Job that runs", job("Running"), { state: "Running", detail: "", done: false }],
    ["a Job that is over", job("Completed"), { state: "Completed", detail: "", done: true }],
    ["a Job that failed", job("Failed", "no answer"), { state: "Failed", detail: "no answer", done: false }],
    [
      "one that is to go and nobody works on yet",
      machine("Running", [condition("Deleting", "False", "", "NotDeleting")], {
        deletionTimestamp: "2026-03-01T00:00:00Z",
      }),
      { state: "Deleting", detail: "", done: false },
    ],
    [
      "one that goes",
      machine("Deleting", [condition("Deleting", "True", "Drain not completed")], {
        deletionTimestamp: "2026-03-01T00:00:00Z",
      }),
      { state: "Deleting", detail: "Drain not completed", done: false },
    ],
    [
      "a set by its replicas",
      {
        apiVersion: "v1",
        kind: "MachineSet",
        metadata: { name: "s" },
        spec: { replicas: 3 },
        status: { readyReplicas: 2 },
      },
      { state: "2/3 ready", done: false },
    ],
    [
      "a set that no controller acts on",
      { apiVersion: "v1", kind: "RKE2ControlPlane", metadata: { name: "s" }, spec: { replicas: 3 } },
      { state: "0/3 ready", detail: "no controller has reconciled it yet", done: false },
    ],
    [
      "one without conditions",
      { apiVersion: "v1", kind: "X", metadata: { name: "x" } },
      { state: "Pending", detail: "", done: false },
    ],
    [
      "a server whose bootstrapping failed",
      {
        apiVersion: "v1",
        kind: "LinodeMachine",
        metadata: { name: "m" },
        status: {
          conditions: [
            condition("Ready", "True"),
            condition("BootstrapSucceeded", "False", "bootstrapping failed: x\nEnd of the log:\ny", "Failed"),
          ],
        },
      },
      { state: "BootstrapFailed", detail: "bootstrapping failed: x", done: false },
    ],
  ])("shows %s", (_, object, expected) => expect(rowOf(object)).toMatchObject(expected));
});

describe("machinesVerdict", () => {
  const owner = (status: object): KubeObject => ({
    apiVersion: "v1",
    kind: "MachineDeployment",
    metadata: { name: "d", generation: 2 },
    spec: { replicas: 2 },
    status: {
      replicas: 2,
      readyReplicas: 2,
      upToDateReplicas: 2,
      observedGeneration: 2,
      conditions: [condition("Available", "True")],
      ...status,
    },
  });
  const cluster = (
    phase: string,
    conditions = [condition("InfrastructureReady", "False", "no token")],
  ): KubeObject => ({
    apiVersion: "v1",
    kind: "Cluster",
    metadata: { name: "c" },
    status: { phase, conditions },
  });
  const paused = condition("Paused", "True");
  const late = condition("Available", "False", "0 available replicas, at least 2 required");
  const blocked = condition("ScalingUp", "True", "Scaling up from 1 to 2 replicas is blocked because:\n* T is missing");
  const running = machine("Running", [condition("Ready", "True")]);

  const waits = condition("WorkersAvailable", "False", "0 available replicas");
  const stuck = cluster("Provisioning", [waits, blocked, condition("InfrastructureReady", "False", "no such host")]);

  it.each<[string, Partial<Parameters<typeof machinesVerdict>[0]>, readonly string[]]>([
    ["a Cluster whose infrastructure fails", { clusters: [stuck] }, ["Cluster c: Provisioning: no such host"]],
    ["all there", { owners: [owner({})] }, []],
    ["one missing", { owners: [owner({ replicas: 1 })] }, ["MachineDeployment d: 1 of 2 Machines exist"]],
    [
      "one that cannot be made",
      { owners: [owner({ replicas: 1, conditions: [blocked] })] },
      ["MachineDeployment d: 1 of 2 Machines exist: T is missing"],
    ],
    [
      "one to be replaced",
      { owners: [owner({ upToDateReplicas: 1 })] },
      ["MachineDeployment d: 1 of 2 Machines are up to date"],
    ],
    [
      "a change just made",
      { owners: [owner({ observedGeneration: 1 })] },
      ["MachineDeployment d: the controller has not observed the last change yet"],
    ],
    [
      "a change that its controller fails on",
      { owners: [owner({ observedGeneration: 1, replicas: 1, conditions: [blocked] })] },
      ["MachineDeployment d: T is missing; the last change has not taken effect yet"],
    ],
    [
      "a change while it is paused",
      { owners: [owner({ observedGeneration: 1, conditions: [condition("Paused", "True", "the Cluster is")] })] },
      ["MachineDeployment d: paused: the Cluster is; the last change has not taken effect yet"],
    ],
    [
      "one missing while it is paused",
      { owners: [owner({ replicas: 1, conditions: [blocked, condition("Paused", "True", "the Cluster is")] })] },
      ["MachineDeployment d: 1 of 2 Machines exist: paused: the Cluster is"],
    ],
    [
      "one whose server was shut down",
      { machines: [machine("Running", [condition("Ready", "False", "the server is offline")])] },
      ["Machine m: NotReady: the server is offline"],
    ],
    [
      "one that is not available for long enough yet",
      { owners: [owner({ availableReplicas: 1 })] },
      ["MachineDeployment d: 1 of 2 Machines are available"],
    ],
    [
      "one that waits",
      { machines: [machine("Pending", [condition("X", "False", "why")])] },
      ["Machine m: Pending: why"],
    ],
    [
      "a cluster that waits",
      { machines: [machine("Pending")], clusters: [cluster("Provisioning")] },
      ["Cluster c: Provisioning: no token", "Machine m: Pending"],
    ],
    [
      "a cluster that waits for something else",
      { clusters: [cluster("Provisioning")] },
      ["Cluster c: Provisioning: no token"],
    ],
    [
      "a cluster that has not heard of its Machines yet",
      { clusters: [cluster("Provisioned", [late])] },
      ["Cluster c: Provisioned: 0 available replicas, at least 2 required"],
    ],
    ["a paused cluster", { clusters: [cluster("Provisioned", [late, paused])] }, []],
    [
      "a set that has not heard of its Machines yet",
      { owners: [owner({ conditions: [late] })] },
      ["MachineDeployment d: 2/2 ready: 0 available replicas, at least 2 required"],
    ],
    ["a paused set", { owners: [owner({ conditions: [late, paused] })] }, []],
    [
      "something left in a store",
      { stored: [{ apiVersion: "v1", kind: "LinodeMachine", metadata: { name: "m" } }] },
      ["LinodeMachine m: its bootstrap data is still in the object store"],
    ],
    [
      "two of one name in two namespaces",
      {
        machines: ["a", "b"].map((namespace) => machine("Pending", [condition("X", "False", "why")], { namespace })),
      },
      ["Machine a/m: Pending: why", "Machine b/m: Pending: why"],
    ],
    ["nothing", { machines: [] }, ["there is no Machine"]],
  ])("%s", (_, facts, reasons) => {
    const verdict = machinesVerdict({ clusters: [], machines: [running], owners: [], stored: [], ...facts });
    expect(verdict).toEqual({ running: reasons.length === 0, reasons });
  });
});
