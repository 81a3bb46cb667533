import { Annotation } from "@capstan/contract";
import type { Play } from "./play.ts";
import { playedKinds } from "./played-kinds.ts";
import {
  changed,
  cluster,
  deployment,
  isGone,
  makeCluster,
  makeTemplates,
  makeMachine,
  object,
  removed,
  type Scenario,
  scenario,
  served,
  servedAlways,
  set,
  step,
  workersSpec,
} from "./scenario.ts";
import { coreKinds } from "./stage.ts";

const { machine: infra, configTemplate, machineTemplate, controlPlane } = playedKinds;
const { machine, set: sets, deployment: deployments } = coreKinds;

const machines =
  (count: number) =>
  (play: Play): boolean =>
    play.objects(machine).length === count;
const allOf =
  (version: string, count: number) =>
  (play: Play): boolean => {
    const all = play.objects(machine);
    return (
      all.length === count && all.every(({ spec, status }) => spec.version === version && status?.phase === "Running")
    );
  };
const steady = { rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } } };
const newVersion = { spec: { template: { spec: { version: "v1.34.0" } } } };
const inPlace = {
  spec: {
    template: {
      metadata: { labels: { of: "template" }, annotations: { of: "template" } },
      spec: {
        minReadySeconds: 1,
        deletion: { nodeDrainTimeoutSeconds: 9 },
        readinessGates: [{ conditionType: "Mine" }],
      },
    },
  },
};

const setScenarios: readonly Scenario[] = [
  scenario(
    "a MachineSet",
    cluster(),
    set(2),
    served,
    changed("more", sets, "workers", { spec: { replicas: 3 } }, machines(3)),
    served,
    changed("one is to go first", machine, "workers~2", {
      metadata: { annotations: { [Annotation.deleteMachine]: "" } },
    }),
    step("held", (play) => play.hold(infra, "workers~2")),
    changed("less", sets, "workers", { spec: { replicas: 2 } }),
    step("it goes", (play) => play.release(infra, "workers~2"), machines(2)),
    changed("in place", sets, "workers", inPlace),
    changed("paused", sets, "workers", { metadata: { annotations: { [Annotation.paused]: "" } } }),
    changed("let go", sets, "workers", { metadata: { annotations: { [Annotation.paused]: null } } }),
    removed("a Machine of it is deleted", machine, "workers~1", machines(2)),
    step("held", (play) => play.hold(infra, "workers~3")),
    removed("deleted", sets, "workers"),
    step("its last machine goes", (play) => play.release(infra, "workers~3"), isGone(sets, "workers")),
  ),
  scenario(
    "a MachineSet without templates",
    cluster(),
    step("a MachineSet", (play) => play.create(object(sets, "workers", workersSpec(1)))),
    step("its templates", makeTemplates, machines(1)),
  ),
  scenario(
    "a MachineSet of a Cluster that changes its version",
    step("a Cluster", async (play) => {
      await makeCluster(play);
      await play.change(controlPlane.resource, "prod", { spec: { version: "v1.34.0" } });
      await play.report(controlPlane, "prod", { version: "v1.33.4" });
    }),
    set(1),
    step(
      "its control plane is stable",
      (play) => play.report(controlPlane, "prod", { version: "v1.34.0" }),
      machines(1),
    ),
  ),
  scenario(
    "a MachineSet that is newer than its control plane",
    step("a Cluster", async (play) => {
      await makeCluster(play);
      await play.change(controlPlane.resource, "prod", { spec: { version: "v1.32.0" } });
      await play.report(controlPlane, "prod", { version: "v1.32.0" });
    }),
    set(1),
  ),
  scenario(
    "a MachineSet of nothing",
    cluster(),
    set(0),
    changed("it shall not make any", sets, "workers", {
      metadata: { annotations: { [Annotation.disableMachineCreate]: "true" } },
      spec: { replicas: 1 },
    }),
    removed("deleted", sets, "workers"),
  ),
  scenario(
    "a MachineSet and a Machine without an owner",
    cluster(),
    step("a Machine", (play) =>
      makeMachine(play, "m", {}, { labels: { app: "a", "cluster.x-k8s.io/cluster-name": "prod" } }),
    ),
    step("a MachineSet", async (play) => {
      await makeTemplates(play);
      const more = { selector: { matchLabels: { app: "a" } } };
      await play.create(object(sets, "workers", workersSpec(1, more, {}, { labels: { app: "a" } })));
    }),
    changed("the Machine leaves", machine, "m", { metadata: { labels: { app: "b" } } }),
  ),
  scenario("a MachineSet of no Cluster", set(1)),
];

const deploymentScenarios: readonly Scenario[] = [
  scenario(
    "a MachineDeployment",
    cluster(),
    deployment(1),
    served,
    changed("more", deployments, "workers", { spec: { replicas: 2 } }, machines(2)),
    served,
    changed("in place", deployments, "workers", inPlace),
    changed("annotations and order", deployments, "workers", {
      metadata: { annotations: { mine: "a" } },
      spec: { deletion: { order: "Oldest" } },
    }),
    changed("paused", deployments, "workers", { spec: { paused: true } }),
    changed("another version while it is paused", deployments, "workers", newVersion),
    changed("none", deployments, "workers", { spec: { replicas: 0 } }, machines(0)),
    removed("deleted", deployments, "workers", isGone(deployments, "workers")),
  ),
  scenario(
    "a rollout",
    cluster(),
    deployment(2, steady),
    servedAlways,
    changed("another version", deployments, "workers", newVersion, allOf("v1.34.0", 2)),
    changed("after a time", deployments, "workers", {
      spec: { rollout: { after: new Date(Date.now() + 1000).toISOString().replace(/\.\d+/, "") } },
    }),
  ),
  scenario(
    "a rollout that cannot go on",
    cluster(),
    deployment(2),
    served,
    changed("another version", deployments, "workers", newVersion, machines(3)),
    changed(
      "a third version",
      deployments,
      "workers",
      { spec: { template: { spec: { version: "v1.34.1" } } } },
      (play) => play.objects(sets).length === 3 && machines(3)(play),
    ),
    changed(
      "the first version again",
      deployments,
      "workers",
      { spec: { template: { spec: { version: "v1.33.4" } } } },
      allOf("v1.33.4", 2),
    ),
  ),
  scenario(
    "a rollout by hand",
    cluster(),
    deployment(2, { rollout: { strategy: { type: "OnDelete" } } }),
    served,
    changed("another version", deployments, "workers", newVersion),
    removed("one is deleted", machine, "workers~1~1", (play) =>
      play.objects(machine).some(({ spec }) => spec.version === "v1.34.0"),
    ),
    changed("less", deployments, "workers", { spec: { replicas: 1 } }),
  ),
  scenario(
    "a MachineDeployment without templates",
    cluster(),
    step("a MachineDeployment", (play) => play.create(object(deployments, "workers", workersSpec(1)))),
    step("its templates", makeTemplates, machines(1)),
    step("templates are lost", async (play) => {
      await play.remove(configTemplate.resource, "t");
      await play.remove(machineTemplate.resource, "t");
    }),
  ),
  scenario(
    "a MachineDeployment is deleted",
    cluster(),
    deployment(2),
    served,
    step("held", (play) => play.hold(infra, "workers~1~1")),
    removed("deleted", deployments, "workers", machines(1)),
    step("its last machine goes", (play) => play.release(infra, "workers~1~1"), isGone(deployments, "workers")),
  ),
  scenario("a MachineDeployment of no Cluster", deployment(1)),
];

export const workersScenarios: readonly Scenario[] = [...setScenarios, ...deploymentScenarios];
