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
} from "@capstan/kit/admission";
import { isJsonObject } from "@capstan/schema";
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

/** Moves shared by control planes and their templates. */
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

const spec = fields(
  [
    ...commonMoves,
    ["machineTemplate.infrastructureRef", "machineTemplate.spec.infrastructureRef", groupReference],
    ["machineTemplate.readinessGates", "machineTemplate.spec.readinessGates"],
  ],
  { zeros: { kubeadmConfigSpec: {}, "machineTemplate.metadata": {} } },
);

const counters = { replicas: 0, updatedReplicas: 0, readyReplicas: 0, unavailableReplicas: 0 };
const status = { ...counters, initialized: false, ready: false };

const shape = fields(
  [
    ["spec", "spec", spec],
    ["status.initialized", "status.initialization.controlPlaneInitialized", plainBool],
    ["status.lastRemediation.timestamp", "status.lastRemediation.time"],
    ...statusMoves(["updatedReplicas", "readyReplicas", "unavailableReplicas", ...failure], newerCounters),
  ],
  {
    older: ["status.ready"],
    zeros: {
      status: {},
      ...Object.fromEntries(Object.entries(status).map(([name, zero]) => [`status.${name}`, zero])),
    },
  },
);

/** The older version says that the API server serves when a Machine has a Node that is Ready. */
const controlPlane: Shape = {
  up: shape.up,
  down: (value, context) => {
    const older = shape.down(value, context);
    const ready = isJsonObject(value) ? valueAt(value, "status.deprecated.v1beta1.readyReplicas") : undefined;
    if (!isJsonObject(older) || typeof ready !== "number" || ready <= 0) return older;
    return { ...older, status: { ...(older["status"] as object), ready: true } };
  },
};

const template = fields([["spec.template.spec", "spec.template.spec", fields(commonMoves)]], {
  zeros: { "spec.template.metadata": {}, "spec.template.spec": {}, "spec.template.spec.kubeadmConfigSpec": {} },
});

/** Converts KubeadmControlPlanes and their templates between v1beta1 and v1beta2, by the names of their definitions. */
export const kubeadmControlPlaneConverters = converterTable([
  { older: KubeadmControlPlaneV1Beta1, newer: KubeadmControlPlane, shape: controlPlane },
  { older: KubeadmControlPlaneTemplateV1Beta1, newer: KubeadmControlPlaneTemplate, shape: template },
]);
