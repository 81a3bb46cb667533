import { Annotation } from "@capstan/contract";
import type { Play } from "./play.ts";
import { playedKinds, playedObject } from "./played-kinds.ts";
import {
  changed,
  cluster,
  condition,
  deployment,
  machine,
  object,
  type Scenario,
  scenario,
  served,
  set,
  step,
} from "./scenario.ts";
import { coreKinds } from "./stage.ts";

const { check: checks, machine: machines, set: sets } = coreKinds;
const { machine: infra, remediation, remediationTemplate } = playedKinds;

type Fields = Readonly<Record<string, unknown>>;

const selector = { matchLabels: { "cluster.x-k8s.io/cluster-name": "prod" } };
const failing = { unhealthyNodeConditions: [{ type: "Ready", status: "False", timeoutSeconds: 0 }] };
const check = (more: Fields = {}, metadata: Fields = {}) =>
  step("a health check", (play) =>
    play.create(object(checks, "check", { clusterName: "prod", selector, checks: failing, ...more }, metadata)),
  );
const has =
  (type: string, status: string) =>
  (play: Play): boolean =>
    play
      .objects(machines)
      .some(({ status: { conditions = [] } = {} }) =>
        conditions.some((each: { type: string; status: string }) => each.type === type && each.status === status),
      );
const isPaused =
  (wanted: string) =>
  (play: Play): boolean =>
    play
      .objects(checks)
      .some(({ status: { conditions = [] } = {} }) =>
        conditions.some(({ type, status }: { type: string; status: string }) => type === "Paused" && status === wanted),
      );
/** Returns whether the check has been looked at. */
const judged = (play: Play): boolean =>
  play
    .objects(checks)
    .some(({ status: { conditions = [] } = {} }) =>
      conditions.some((each: { type: string }) => each.type === "RemediationAllowed"),
    );
const failed = has("HealthCheckSucceeded", "False");
const well = has("HealthCheckSucceeded", "True");
const deferred = (play: Play): boolean =>
  play
    .objects(machines)
    .some(({ status: { conditions = [] } = {} }) =>
      conditions.some((each: { reason: string }) => each.reason === "RemediationDeferred"),
    );
const sick = (name: string, until = failed) =>
  step("a Node is not ready", (play) => play.nodeSays(name, { Ready: "False" }), until);

export const healthScenarios: readonly Scenario[] = [
  scenario("a health check of nothing", cluster(), { ...check(), until: judged }),
  scenario(
    "a health check of a Machine",
    cluster(),
    machine(),
    step("it runs", (play) => play.serve("m")),
    { ...check(), until: well },
    sick("m"),
    step("its Node is well again", (play) => play.nodeSays("m"), well),
    changed(
      "the check is paused",
      checks,
      "check",
      { metadata: { annotations: { [Annotation.paused]: "" } } },
      isPaused("True"),
    ),
    changed(
      "and let go",
      checks,
      "check",
      { metadata: { annotations: { [Annotation.paused]: null } } },
      isPaused("False"),
    ),
    changed(
      "to be remediated",
      machines,
      "m",
      { metadata: { annotations: { "cluster.x-k8s.io/remediate-machine": "" } } },
      failed,
    ),
    changed("to be left alone", machines, "m", {
      metadata: {
        annotations: { "cluster.x-k8s.io/remediate-machine": null, "cluster.x-k8s.io/skip-remediation": "" },
      },
    }),
  ),
  scenario(
    "a set remediates",
    cluster(),
    set(2),
    served,
    { ...check(), until: well },
    step("held", (play) => play.hold(infra, "workers~1")),
    sick("workers~1"),
    step(
      "it goes",
      (play) => play.release(infra, "workers~1"),
      (play) => !play.machines().includes("workers~1"),
    ),
  ),
  scenario(
    "a set remediates one after the other",
    cluster(),
    deployment(3, { remediation: { maxInFlight: 1 } }),
    served,
    { ...check(), until: well },
    step("held", async (play) => {
      for (const name of play.machines()) await play.hold(infra, name);
    }),
    sick("workers~1~1", (play) =>
      play.objects(machines).some(({ metadata }) => metadata.deletionTimestamp !== undefined),
    ),
    step("another Node is not ready", (play) => play.nodeSays("workers~1~2", { Ready: "False" }), deferred),
  ),
  scenario(
    "too many are unhealthy",
    cluster(),
    set(2),
    served,
    { ...check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "40%" } } }), until: well },
    sick("workers~1"),
  ),
  scenario(
    "the number of unhealthy ones is out of range",
    cluster(),
    set(2),
    served,
    { ...check({ remediation: { triggerIf: { unhealthyInRange: "[2-3]" } } }), until: well },
    sick("workers~1"),
  ),
  scenario(
    "somebody else remediates",
    cluster(),
    machine(),
    step("it runs", (play) => play.serve("m")),
    step("its template", (play) =>
      play.create(playedObject(remediationTemplate, "fix", { template: { spec: { strategy: "Reboot" } } })),
    ),
    {
      ...check({
        remediation: {
          templateRef: {
            apiVersion: "infrastructure.cluster.x-k8s.io/v1",
            kind: "PlayedRemediationTemplate",
            name: "fix",
          },
        },
      }),
      until: well,
    },
    sick("m", (play) => play.objects(remediation.resource).length === 1),
    step(
      "its Node is well again",
      (play) => play.nodeSays("m"),
      (play) => play.objects(remediation.resource).length === 0,
    ),
  ),
  scenario(
    "nobody else remediates",
    cluster(),
    machine(),
    step("it runs", (play) => play.serve("m")),
    check({
      remediation: {
        templateRef: {
          apiVersion: "infrastructure.cluster.x-k8s.io/v1",
          kind: "PlayedRemediationTemplate",
          name: "none",
        },
      },
    }),
    sick("m"),
  ),
  scenario(
    "a Node is lost",
    cluster(),
    machine(),
    step("it runs", (play) => play.serve("m")),
    { ...check(), until: well },
    step("its Node is lost", (play) => play.removeNode("m"), failed),
  ),
  scenario("a Node does not come", cluster(), machine(), {
    ...check({ checks: { nodeStartupTimeoutSeconds: 30 } }),
    until: failed,
  }),
  scenario(
    "a condition of a Machine",
    cluster(),
    machine(),
    step("it runs", (play) => play.serve("m")),
    {
      ...check({ checks: { unhealthyMachineConditions: [{ type: "Mine", status: "False", timeoutSeconds: 0 }] } }),
      until: well,
    },
    step(
      "it is bad",
      async (play) => {
        const conditions = [
          ...play.objects(machines)[0].status.conditions,
          condition("Mine", "False", "Broken", "as played"),
        ];
        await play.stage.client.patch(
          machines,
          play.key("m"),
          { type: "merge", body: { status: { conditions } } },
          { subresource: "status" },
        );
      },
      failed,
    ),
  ),
  scenario("a health check of no Cluster", check()),
  scenario(
    "a set of an older template and its health",
    cluster(),
    set(1),
    served,
    { ...check(), until: well },
    changed("the set is paused", sets, "workers", { metadata: { annotations: { [Annotation.paused]: "" } } }),
    sick("workers~1"),
  ),
];
