import { Annotation, Label } from "@capstan/contract";
import { playedKinds, playedObject, refTo } from "./played-kinds.ts";
import {
  changed,
  cluster,
  condition,
  isGone,
  machine,
  machineSpec,
  object,
  oldCondition,
  removed,
  reported,
  type Scenario,
  scenario,
  step,
} from "./scenario.ts";
import { coreKinds, Node } from "./stage.ts";

const { machine: infra, config, oldMachine, oldConfig, cluster: infraCluster, controlPlane } = playedKinds;
const kind = coreKinds.machine;
const served = step("it runs", (play) => play.serve("m"));
const hook = (name: string) => `${name}.delete.hook.machine.cluster.x-k8s.io/played`;
const ready = [condition("Ready", "True", "Ready")];

const nodeSays = (title: string, conditions: Readonly<Record<string, unknown>>) =>
  step(title, (play) => play.nodeSays("m", conditions));

export const machineScenarios: readonly Scenario[] = [
  scenario(
    "a Machine is made",
    cluster(),
    machine({ version: "v1.33.4", failureDomain: "a" }),
    reported("bootstrap is not ready", config, "m", {
      conditions: [condition("Ready", "False", "Waiting", "for a lock")],
    }),
    step("bootstrap data", (play) => play.bootstrap("m", { conditions: ready })),
    reported("infrastructure is not ready", infra, "m", {
      conditions: [condition("Ready", "False", "Booting", "slowly")],
    }),
    reported("infrastructure without an id", infra, "m", { initialization: { provisioned: true } }),
    step("infrastructure", (play) =>
      play.provision("m", {
        conditions: ready,
        failureDomain: "b",
        addresses: [{ type: "InternalIP", address: "192.0.2.7" }],
        interruptible: true,
      }),
    ),
    step("its Node", (play) => play.join("m")),
    nodeSays("its Node is under pressure", { MemoryPressure: "True", DiskPressure: "Unknown" }),
    nodeSays("its Node is not ready", { Ready: "False" }),
    nodeSays("its Node says less", { Ready: "Unknown", PIDPressure: null }),
    nodeSays("its Node is well", {}),
    changed("labels for its Node", kind, "m", {
      metadata: {
        labels: { "node.cluster.x-k8s.io/a": "b", "node-role.kubernetes.io/worker": "", other: "c" },
        annotations: { "node.cluster.x-k8s.io/c": "d" },
      },
    }),
    changed("one label less", kind, "m", { metadata: { labels: { "node.cluster.x-k8s.io/a": null } } }),
    reported("other addresses", infra, "m", {
      addresses: null,
      conditions: [condition("Ready", "Unknown", "Asked", "silence")],
    }),
    step("its Node is lost", (play) => play.removeNode("m")),
    removed("infrastructure is lost", infra.resource, "m"),
    removed("bootstrap is lost", config.resource, "m"),
    removed("deleted", kind, "m"),
  ),
  scenario(
    "a Machine with data of its own",
    cluster(),
    step("a Machine", (play) =>
      play.create(
        playedObject(infra, "m"),
        object(kind, "m", machineSpec("m", { bootstrap: { dataSecretName: "data" } })),
      ),
    ),
    step("infrastructure", (play) => play.provision("m")),
    step("its Node", (play) => play.join("m")),
  ),
  scenario(
    "a Machine whose objects are missing",
    cluster(),
    step("a Machine", (play) => play.create(object(kind, "m", machineSpec("m")))),
    step("its config", (play) => play.create(playedObject(config, "m"))),
    removed("deleted", kind, "m"),
  ),
  scenario(
    "a Machine of kinds that there are not",
    cluster(),
    step("a Machine", (play) =>
      play.create(
        object(
          kind,
          "m",
          machineSpec("m", {
            bootstrap: { configRef: { ...refTo(config, "m"), kind: "NoConfig" } },
            infrastructureRef: { ...refTo(infra, "m"), kind: "NoMachine" },
          }),
        ),
      ),
    ),
  ),
  scenario(
    "a Machine of providers of the older contract",
    cluster(),
    step("a Machine", (play) =>
      play.create(
        playedObject(oldConfig, "m"),
        playedObject(oldMachine, "m", { failureDomain: "a" }),
        object(
          kind,
          "m",
          machineSpec("m", {
            bootstrap: { configRef: refTo(oldConfig, "m") },
            infrastructureRef: refTo(oldMachine, "m"),
          }),
        ),
      ),
    ),
    ...(["Error", "Warning", "Info"] as const).flatMap((severity) => [
      reported(`bootstrap is not ready, ${severity}`, oldConfig, "m", {
        conditions: [oldCondition("Ready", "False", "Waiting", severity, "for data")],
      }),
    ]),
    reported("bootstrap data", oldConfig, "m", {
      ready: true,
      dataSecretName: "data",
      conditions: [oldCondition("Ready", "True", "")],
    }),
    ...(["Error", "Warning", "Info"] as const).map((severity) =>
      reported(`infrastructure is not ready, ${severity}`, oldMachine, "m", {
        conditions: [oldCondition("Ready", "False", "Booting", severity, "slowly")],
      }),
    ),
    reported("infrastructure fails", oldMachine, "m", { failureReason: "CreateError", failureMessage: "no capacity" }),
    step("infrastructure", async (play) => {
      await play.change(oldMachine.resource, "m", { spec: { providerID: play.providerID("m") } });
      await play.report(oldMachine, "m", { ready: true, conditions: [oldCondition("Ready", "True", "")] });
    }),
    step("its Node", (play) => play.join("m")),
  ),
  scenario(
    "a Machine of no Cluster",
    step("a Machine", (play) =>
      play.create(
        playedObject(config, "m"),
        playedObject(infra, "m"),
        object(kind, "m", machineSpec("m", { clusterName: "nobody" })),
      ),
    ),
  ),
  scenario(
    "a Machine before its Cluster's infrastructure",
    step("a Cluster", async (play) => {
      const { clusterObject } = await import("./scenario.ts");
      await play.create(clusterObject(), playedObject(infraCluster, "prod"), playedObject(controlPlane, "prod"));
    }),
    machine(),
    step("bootstrap and infrastructure", async (play) => {
      await play.bootstrap("m");
      await play.provision("m");
    }),
    removed("deleted", kind, "m"),
  ),
  scenario(
    "a Machine of a Cluster that does not answer",
    step("a Cluster", async (play) => {
      const { clusterObject, endpoint } = await import("./scenario.ts");
      await play.giveKubeconfig(play.stage.kubeconfig.replace(/https:\/\/[^\s]+/, "https://127.0.0.1:1"));
      await play.create(
        clusterObject(),
        playedObject(infraCluster, "prod", { controlPlaneEndpoint: endpoint }),
        playedObject(controlPlane, "prod"),
      );
      await play.report(infraCluster, "prod", { initialization: { provisioned: true } });
      await play.report(controlPlane, "prod", { initialization: { controlPlaneInitialized: true } });
    }),
    machine(),
    step("bootstrap and infrastructure", async (play) => {
      await play.bootstrap("m");
      await play.provision("m");
    }),
  ),
  scenario(
    "a paused Machine",
    cluster(),
    machine({}, { annotations: { [Annotation.paused]: "" } }),
    changed("let go", kind, "m", { metadata: { annotations: { [Annotation.paused]: null } } }),
    changed("paused again", kind, "m", { metadata: { annotations: { [Annotation.paused]: "true" } } }),
    step("its objects are ready", (play) => play.serve("m")),
    removed("deleted while it is paused", kind, "m"),
  ),
  scenario(
    "gates and time of a Machine",
    cluster(),
    machine({
      minReadySeconds: 5,
      readinessGates: [{ conditionType: "Mine" }, { conditionType: "Bad", polarity: "Negative" }],
    }),
    served,
    step(
      "its gates are met",
      async (play) => {
        const conditions = [
          ...play.objects(kind)[0].status.conditions,
          condition("Mine", "True", "A"),
          condition("Bad", "False", "B"),
        ];
        await play.stage.client.patch(
          kind,
          play.key("m"),
          { type: "merge", body: { status: { conditions } } },
          { subresource: "status" },
        );
      },
      (play) =>
        play
          .objects(kind)
          .some(({ status }) =>
            status?.conditions?.some(
              (each: { type: string; status: string }) => each.type === "Available" && each.status === "True",
            ),
          ),
    ),
  ),
  scenario(
    "a Machine is deleted",
    cluster(),
    machine({}, { annotations: { [hook("pre-drain")]: "", [hook("pre-terminate")]: "" } }),
    served,
    step("a Pod on it, everything held", async (play) => {
      await play.pod("app", "m");
      await play.hold(infra, "m");
      await play.hold(config, "m");
    }),
    removed("deleted", kind, "m"),
    changed("no hook before the drain", kind, "m", { metadata: { annotations: { [hook("pre-drain")]: null } } }),
    step(
      "its Pod is gone, a volume is attached",
      async (play) => {
        const body = { status: { volumesAttached: [{ name: "kubernetes.io/csi/a^b", devicePath: "" }] } };
        await play.stage.workload.patch(
          Node,
          { name: play.nodeName("m") },
          { type: "merge", body },
          { subresource: "status" },
        );
        await play.releasePod("app");
      },
      (play) =>
        play.objects(kind).some(({ status }) => status?.deletion?.waitForNodeVolumeDetachStartTime !== undefined),
    ),
    step(
      "its volume is detached",
      async (play) => {
        const body = { status: { volumesAttached: null } };
        await play.stage.workload.patch(
          Node,
          { name: play.nodeName("m") },
          { type: "merge", body },
          { subresource: "status" },
        );
      },
      (play) =>
        play
          .objects(kind)
          .some(({ status }) =>
            status?.conditions?.some(
              (each: { type: string; reason: string }) =>
                each.type === "Deleting" && each.reason === "WaitingForPreTerminateHook",
            ),
          ),
    ),
    changed("no hook before the end", kind, "m", { metadata: { annotations: { [hook("pre-terminate")]: null } } }),
    reported("infrastructure says why", infra, "m", {
      conditions: [condition("Ready", "False", "Deleting", "a disk is wiped")],
    }),
    step("infrastructure goes", (play) => play.release(infra, "m")),
    step("config goes", (play) => play.release(config, "m"), isGone(kind, "m")),
  ),
  scenario(
    "a Machine is deleted before it has a Node",
    cluster(),
    machine(),
    step("infrastructure, held", async (play) => {
      await play.bootstrap("m");
      await play.provision("m");
      await play.hold(infra, "m");
    }),
    removed("deleted", kind, "m"),
    step("infrastructure goes", (play) => play.release(infra, "m"), isGone(kind, "m")),
  ),
  scenario(
    "a Machine is deleted without a drain",
    cluster(),
    machine(
      { deletion: { nodeDrainTimeoutSeconds: 1, nodeVolumeDetachTimeoutSeconds: 1, nodeDeletionTimeoutSeconds: 1 } },
      { annotations: { [Annotation.excludeNodeDraining]: "", [Annotation.excludeWaitForNodeVolumeDetach]: "" } },
    ),
    served,
    step("held", (play) => play.hold(infra, "m")),
    removed("deleted", kind, "m"),
    step("infrastructure goes", (play) => play.release(infra, "m"), isGone(kind, "m")),
  ),
  scenario(
    "the last Machine of a control plane is deleted",
    cluster(),
    machine({}, { labels: { [Label.controlPlane]: "" } }),
    served,
    step("held", (play) => play.hold(infra, "m")),
    removed("deleted", kind, "m"),
    step("infrastructure goes", (play) => play.release(infra, "m"), isGone(kind, "m")),
  ),
];
