import { kubeadmConfigSpecShape } from "@capstan/bootstrap-kubeadm/spec";
import { valueAt } from "@capstan/contract/wire";
import {
  converterTable,
  deletionMoves,
  durationToSeconds,
  failure,
  fields,
  groupReference,
  newerCounters,
  plainBool,
  statusMoves,
  type Move,
  type Shape,
} from "@capstan/kit/conversion";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import {
  KubeadmControlPlane,
  KubeadmControlPlaneTemplate,
  KubeadmControlPlaneTemplateV1Beta1,
  KubeadmControlPlaneV1Beta1,
} from "../api.ts";

/** The older version lets the type be left out where it is the default. */
const strategy: Shape = {
  up: (value) => (isJsonObject(value) && !value["type"] ? { ...value, type: "RollingUpdate" } : value),
  down: (value) => value,
};

/** What control planes and their templates have in common. */
const commonMoves: readonly Move[] = [
  ["kubeadmConfigSpec", "kubeadmConfigSpec", kubeadmConfigSpecShape],
  ["rolloutBefore", "rollout.before"],
  ["rolloutAfter", "rollout.after"],
  ["rolloutStrategy", "rollout.strategy", strategy],
  ["remediationStrategy.maxRetry", "remediation.maxRetry"],
  ["remediationStrategy.retryPeriod", "remediation.retryPeriodSeconds", durationToSeconds],
  ["remediationStrategy.minHealthyPeriod", "remediation.minHealthyPeriodSeconds", durationToSeconds],
  ["machineNamingStrategy", "machineNaming"],
  ["machineTemplate.taints", "machineTemplate.spec.taints"],
  ...deletionMoves.map(([older, newer, shape]): Move => [
    `machineTemplate.${older}`,
    `machineTemplate.spec.${newer}`,
    ...(shape === undefined ? ([] as const) : ([shape] as const)),
  ]),
];

/** The older version demands the configuration, be it empty. */
const withConfig = ({ up, down }: Shape): Shape => ({
  up,
  down: (value, context) => {
    const older = down(value, context);
    return isJsonObject(older) ? { kubeadmConfigSpec: {}, ...older } : older;
  },
});

const spec = withConfig(
  fields([
    ...commonMoves,
    ["machineTemplate.infrastructureRef", "machineTemplate.spec.infrastructureRef", groupReference],
    ["machineTemplate.readinessGates", "machineTemplate.spec.readinessGates"],
  ]),
);

const shape = fields(
  [
    ["spec", "spec", spec],
    ["status.initialized", "status.initialization.controlPlaneInitialized", plainBool],
    ["status.lastRemediation.timestamp", "status.lastRemediation.time"],
    ...statusMoves(["updatedReplicas", "readyReplicas", "unavailableReplicas", ...failure], newerCounters),
  ],
  { older: ["status.ready"] },
);

/** The older version says that the API server serves when a Machine has a Node that is Ready. */
const controlPlane: Shape = {
  up: shape.up,
  down: (value, context) => {
    const older = shape.down(value, context);
    const ready = isJsonObject(value)
      ? valueAt(value as unknown as KubeObject, "status.deprecated.v1beta1.readyReplicas")
      : undefined;
    if (!isJsonObject(older) || typeof ready !== "number" || ready <= 0) return older;
    return { ...older, status: { ...(older["status"] as object), ready: true } };
  },
};

/** An older template has its spec, be it empty. */
const template = fields([["spec.template.spec", "spec.template.spec", withConfig(fields(commonMoves))]]);

const wholeTemplate: Shape = {
  up: template.up,
  down: (value, context) => {
    const older = template.down(value, context);
    const inner = isJsonObject(older) && isJsonObject(older["spec"]) ? older["spec"]["template"] : undefined;
    if (!isJsonObject(older) || !isJsonObject(inner) || inner["spec"] !== undefined) return older;
    return { ...older, spec: { template: { ...inner, spec: { kubeadmConfigSpec: {} } } } };
  },
};

/** Converts KubeadmControlPlanes and their templates between v1beta1 and v1beta2, by the names of their definitions. */
export const kubeadmControlPlaneConverters = converterTable([
  { older: KubeadmControlPlaneV1Beta1, newer: KubeadmControlPlane, shape: controlPlane },
  { older: KubeadmControlPlaneTemplateV1Beta1, newer: KubeadmControlPlaneTemplate, shape: wholeTemplate },
]);
