import { Annotation, Group, Label } from "@capstan/contract";
import { createCertificateAuthority } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { playedKinds, playedObject, refTo } from "./played-kinds.ts";
import {
  changed,
  cluster,
  clusterObject,
  condition,
  deployment,
  endpoint,
  isGone,
  makeMachine,
  oldCondition,
  removed,
  reported,
  type Scenario,
  scenario,
  served,
  step,
} from "./scenario.ts";
import { coreKinds, Secret } from "./stage.ts";

const { cluster: infra, controlPlane, oldCluster, oldControlPlane, machine, config } = playedKinds;
const ofCluster = coreKinds.cluster;
const counted = { replicas: 3, readyReplicas: 2, availableReplicas: 1, upToDateReplicas: 3 };

const mirrored = (type: string, status: string) =>
  reported(`its ${type} is ${status}`, controlPlane, "prod", {
    conditions: [condition("Available", "True", "Available"), condition(type, status, "Played", `${type} as played`)],
  });

export const clusterScenarios: readonly Scenario[] = [
  scenario(
    "a Cluster and its infrastructure",
    step("alone", (play) => play.create(clusterObject({ controlPlaneRef: undefined }))),
    step("infrastructure", (play) => play.create(playedObject(infra, "prod"))),
    reported("infrastructure is not ready", infra, "prod", {
      conditions: [condition("Ready", "False", "Networks", "networks are being made")],
    }),
    step("infrastructure is there", async (play) => {
      await play.change(infra.resource, "prod", { spec: { controlPlaneEndpoint: endpoint } });
      await play.report(infra, "prod", {
        initialization: { provisioned: true },
        failureDomains: [{ name: "a", controlPlane: true, attributes: { rack: "1" } }, { name: "b" }],
        conditions: [condition("Ready", "True", "Ready")],
      });
    }),
    reported("other failure domains", infra, "prod", { failureDomains: [{ name: "c", controlPlane: false }] }),
    reported("no failure domains", infra, "prod", { failureDomains: null }),
    reported("it is not provisioned any more", infra, "prod", {
      initialization: { provisioned: false },
      conditions: [condition("Ready", "Unknown", "Asked", "the cloud is silent")],
    }),
    removed("infrastructure is lost", infra.resource, "prod"),
    removed("deleted", ofCluster, "prod"),
  ),
  scenario(
    "a Cluster and its control plane",
    step("alone", (play) => play.create(clusterObject())),
    step("infrastructure", async (play) => {
      await play.create(playedObject(infra, "prod"));
      await play.report(infra, "prod", { initialization: { provisioned: true } });
    }),
    step("control plane", (play) =>
      play.create(playedObject(controlPlane, "prod", { replicas: 3, version: "v1.33.4" })),
    ),
    changed("it has an endpoint", controlPlane.resource, "prod", { spec: { controlPlaneEndpoint: endpoint } }),
    step("it answers", async (play) => {
      await play.giveKubeconfig();
      await play.report(controlPlane, "prod", { initialization: { controlPlaneInitialized: true }, ...counted });
    }),
    reported("it has versions", controlPlane, "prod", { version: "v1.32.1" }),
    mirrored("RollingOut", "True"),
    mirrored("ScalingUp", "True"),
    mirrored("ScalingDown", "True"),
    mirrored("Remediating", "True"),
    reported("it is not available", controlPlane, "prod", {
      conditions: [condition("Available", "False", "NotAvailable", "etcd has no quorum")],
    }),
    removed("it is lost", controlPlane.resource, "prod"),
  ),
  scenario(
    "providers of the older contract",
    step("all of it", async (play) => {
      await play.create(
        clusterObject({
          infrastructureRef: refTo(oldCluster, "prod"),
          controlPlaneRef: refTo(oldControlPlane, "prod"),
        }),
        playedObject(oldCluster, "prod"),
        playedObject(oldControlPlane, "prod", { replicas: 1, version: "v1.33.4" }),
      );
    }),
    ...(["Error", "Warning", "Info"] as const).map((severity) =>
      step(`not ready, ${severity}`, async (play) => {
        const conditions = [oldCondition("Ready", "False", "Played", severity, "as played")];
        await play.report(oldCluster, "prod", { conditions });
        await play.report(oldControlPlane, "prod", { conditions });
      }),
    ),
    step("there", async (play) => {
      await play.giveKubeconfig();
      await play.change(oldCluster.resource, "prod", { spec: { controlPlaneEndpoint: endpoint } });
      const conditions = [oldCondition("Ready", "True", "")];
      await play.report(oldCluster, "prod", {
        ready: true,
        failureDomains: { b: {}, a: { controlPlane: true } },
        conditions,
      });
      const counters = { replicas: 1, readyReplicas: 1, updatedReplicas: 1, unavailableReplicas: 0 };
      await play.report(oldControlPlane, "prod", { ready: true, initialized: true, ...counters, conditions });
    }),
    reported("a failure", oldCluster, "prod", { failureReason: "Quota", failureMessage: "no more machines" }),
    removed("deleted", ofCluster, "prod"),
  ),
  scenario(
    "objects of a Cluster that cannot be read",
    step("kinds that there are not", (play) =>
      play.create(
        clusterObject({
          infrastructureRef: { apiGroup: Group.infrastructure, kind: "NoCluster", name: "prod" },
          controlPlaneRef: { apiGroup: Group.controlPlane, kind: "NoControlPlane", name: "prod" },
        }),
      ),
    ),
  ),
  scenario(
    "odd conditions of providers",
    cluster(),
    reported("no status", infra, "prod", { conditions: [{ type: "Ready", reason: "A" }] }),
    reported("a status of its own", infra, "prod", { conditions: [condition("Ready", "Maybe", "A")] }),
    reported("no reason", infra, "prod", { conditions: [condition("Ready", "False", "")] }),
    reported("conditions that are no list", controlPlane, "prod", { conditions: "none" }),
    reported("a long message", infra, "prod", { conditions: [condition("Ready", "False", "A", "one\ntwo\n* three")] }),
  ),
  scenario(
    "a Cluster without a control plane object",
    step("alone", async (play) => {
      await play.create(
        clusterObject({ controlPlaneRef: undefined }),
        playedObject(infra, "prod", { controlPlaneEndpoint: endpoint }),
      );
      await play.report(infra, "prod", { initialization: { provisioned: true } });
    }),
    step(
      "its authority",
      async (play) => {
        const { certificate, key } = await createCertificateAuthority({ now: systemClock.now() });
        const base64 = (text: string): string => Buffer.from(text).toString("base64");
        await play.create({
          apiVersion: "v1",
          kind: Secret.kind,
          metadata: { name: "prod-ca", labels: { [Label.clusterName]: "prod" } },
          data: { "tls.crt": base64(certificate), "tls.key": base64(key) },
        });
      },
      (play) => !isGone(Secret, "prod-kubeconfig")(play),
    ),
  ),
  scenario(
    "a control plane of Machines of their own",
    step("a Cluster", async (play) => {
      await play.giveKubeconfig();
      await play.create(
        clusterObject({ controlPlaneRef: undefined }),
        playedObject(infra, "prod", { controlPlaneEndpoint: endpoint }),
      );
      await play.report(infra, "prod", { initialization: { provisioned: true } });
    }),
    step("a Machine", (play) => makeMachine(play, "cp", {}, { labels: { [Label.controlPlane]: "" } })),
    step(
      "its Node",
      (play) => play.serve("cp"),
      (play) => play.objects(ofCluster).some(({ status }) => status?.initialization?.controlPlaneInitialized === true),
    ),
    removed("deleted", ofCluster, "prod", isGone(ofCluster, "prod")),
  ),
  scenario(
    "a paused Cluster",
    step("from the start", (play) => play.create(clusterObject({ paused: true }), playedObject(infra, "prod"))),
    changed("let go", ofCluster, "prod", { spec: { paused: false } }),
    changed("paused by an annotation", ofCluster, "prod", { metadata: { annotations: { [Annotation.paused]: "" } } }),
    changed("paused in both ways", ofCluster, "prod", { spec: { paused: true } }),
    step("a Machine of it", (play) => makeMachine(play, "m")),
    removed("deleted while it is paused", ofCluster, "prod"),
  ),
  scenario(
    "gates of a Cluster",
    cluster({ availabilityGates: [{ conditionType: "Mine" }, { conditionType: "Bad", polarity: "Negative" }] }),
    step("they are met", async (play) => {
      const conditions = [
        ...play.objects(ofCluster)[0].status.conditions,
        condition("Mine", "True", "A"),
        condition("Bad", "False", "B"),
      ];
      const key = { namespace: play.namespace, name: "prod" };
      await play.stage.client.patch(
        ofCluster,
        key,
        { type: "merge", body: { status: { conditions } } },
        { subresource: "status" },
      );
    }),
  ),
  scenario(
    "a Cluster is deleted",
    cluster(),
    deployment(1),
    served,
    step("everything is held", async (play) => {
      await play.hold(infra, "prod");
      await play.hold(controlPlane, "prod");
      await play.hold(machine, "workers~1~1");
      await play.hold(config, "workers~1~1");
    }),
    removed("deleted", ofCluster, "prod", (play) =>
      play.objects(machine.resource).every(({ metadata }) => metadata.deletionTimestamp !== undefined),
    ),
    step("its machine goes", (play) => play.release(machine, "workers~1~1"), isGone(machine.resource, "workers~1~1")),
    step(
      "its config goes",
      (play) => play.release(config, "workers~1~1"),
      (play) => play.objects(controlPlane.resource).every(({ metadata }) => metadata.deletionTimestamp !== undefined),
    ),
    step(
      "its control plane goes",
      (play) => play.release(controlPlane, "prod"),
      (play) => play.objects(infra.resource).every(({ metadata }) => metadata.deletionTimestamp !== undefined),
    ),
    step("its infrastructure goes", (play) => play.release(infra, "prod"), isGone(ofCluster, "prod")),
  ),
];
