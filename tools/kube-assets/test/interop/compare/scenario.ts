import { Group } from "@capstan/contract";
import type { KubeObject, Resource } from "@capstan/schema";
import type { FreeKind } from "@capstan/testing";
import type { Play } from "./play.ts";
import { playedKinds, playedObject, refTo } from "./played-kinds.ts";
import { coreKinds } from "./stage.ts";

export interface Step {
  readonly title: string;
  readonly act: (play: Play) => Promise<void>;
  /** What has to have come of it before it is looked at. Default: that nothing changes any more. */
  readonly until?: (play: Play) => boolean;
}

/** What users and providers do, one after the other; after each step everything is looked at. */
export interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
}

export const step = (title: string, act: Step["act"], until?: Step["until"]): Step => ({
  title,
  act,
  ...(until !== undefined && { until }),
});

export const scenario = (title: string, ...steps: readonly Step[]): Scenario => ({ title, steps });

type Fields = Readonly<Record<string, unknown>>;

/** An object of core, as a user writes it. */
export const object = (kind: Resource, name: string, spec: Fields, metadata: Fields = {}): KubeObject => ({
  apiVersion: `${Group.core}/v1beta2`,
  kind: kind.kind,
  metadata: { name, ...metadata },
  spec,
});

export const clusterObject = (spec: Fields = {}, metadata: Fields = {}): KubeObject =>
  object(
    coreKinds.cluster,
    "prod",
    {
      infrastructureRef: refTo(playedKinds.cluster, "prod"),
      controlPlaneRef: refTo(playedKinds.controlPlane, "prod"),
      ...spec,
    },
    metadata,
  );

export const endpoint = { host: "203.0.113.40", port: 6443 };

/** A Cluster that is there, with a control plane that answers. */
export const makeCluster = async (play: Play, spec: Fields = {}): Promise<void> => {
  await play.giveKubeconfig();
  await play.create(
    playedObject(playedKinds.cluster, "prod", { controlPlaneEndpoint: endpoint }),
    playedObject(playedKinds.controlPlane, "prod"),
    clusterObject(spec),
  );
  await play.report(playedKinds.cluster, "prod", { initialization: { provisioned: true } });
  await play.report(playedKinds.controlPlane, "prod", { initialization: { controlPlaneInitialized: true } });
};

export const cluster = (spec: Fields = {}): Step => step("a Cluster", (play) => makeCluster(play, spec));

/** The spec of a Machine, with its objects. */
export const machineSpec = (name: string, more: Fields = {}): Fields => ({
  clusterName: "prod",
  bootstrap: { configRef: refTo(playedKinds.config, name) },
  infrastructureRef: refTo(playedKinds.machine, name),
  ...more,
});

export const makeMachine = async (
  play: Play,
  name: string,
  spec: Fields = {},
  metadata: Fields = {},
): Promise<void> => {
  await play.create(
    playedObject(playedKinds.config, name),
    playedObject(playedKinds.machine, name),
    object(coreKinds.machine, name, machineSpec(name, spec), metadata),
  );
};

export const machine = (spec: Fields = {}, metadata: Fields = {}): Step =>
  step("a Machine", (play) => makeMachine(play, "m", spec, metadata));

export const makeTemplates = (play: Play): Promise<void> =>
  play.create(
    playedObject(playedKinds.configTemplate, "t", { template: { metadata: { labels: { of: "config" } }, spec: {} } }),
    playedObject(playedKinds.machineTemplate, "t", {
      template: { metadata: { annotations: { of: "t" } }, spec: { size: 1 } },
    }),
  );

/** What a MachineSet and a MachineDeployment have alike. */
export const workersSpec = (replicas: number, more: Fields = {}, spec: Fields = {}, metadata: Fields = {}): Fields => ({
  clusterName: "prod",
  replicas,
  template: {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    spec: {
      clusterName: "prod",
      version: "v1.33.4",
      bootstrap: { configRef: refTo(playedKinds.configTemplate, "t") },
      infrastructureRef: refTo(playedKinds.machineTemplate, "t"),
      ...spec,
    },
  },
  ...more,
});

export const set = (replicas: number, more: Fields = {}, spec: Fields = {}): Step =>
  step("a MachineSet", async (play) => {
    await makeTemplates(play);
    await play.create(object(coreKinds.set, "workers", workersSpec(replicas, more, spec)));
  });

export const deployment = (replicas: number, more: Fields = {}, spec: Fields = {}): Step =>
  step("a MachineDeployment", async (play) => {
    await makeTemplates(play);
    await play.create(object(coreKinds.deployment, "workers", workersSpec(replicas, more, spec)));
  });

export const served: Step = step("its Machines run", (play) => play.serveAll());

/** From here on Machines are served as they come. */
export const servedAlways: Step = step("its Machines run", async (play) => {
  play.serving = true;
});

/** A change of an object by its user. */
export const changed = (title: string, kind: Resource, name: string, body: Fields, until?: Step["until"]): Step =>
  step(title, (play) => play.change(kind, name, body), until);

export const reported = (title: string, kind: FreeKind, name: string, status: Fields): Step =>
  step(title, (play) => play.report(kind, name, status));

export const removed = (title: string, kind: Resource, name: string, until?: Step["until"]): Step =>
  step(title, (play) => play.remove(kind, name), until);

export const isGone =
  (kind: Resource, name: string) =>
  (play: Play): boolean =>
    !play.objects(kind).some((each) => each.metadata.name === play.real(name));

/** A condition as providers write it. */
export const condition = (type: string, status: string, reason: string, message = ""): object => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: "2026-01-01T00:00:00Z",
});

export const oldCondition = (type: string, status: string, reason: string, severity = "", message = ""): object => ({
  type,
  status,
  ...(reason !== "" && { reason }),
  ...(severity !== "" && { severity }),
  ...(message !== "" && { message }),
  lastTransitionTime: "2026-01-01T00:00:00Z",
});
