import { durationToSeconds, fields, groupReference, plainBool, type Move, type Shape } from "@capstan/kit/admission";
import { isJsonObject } from "@capstan/schema";

const legacyFailure = ["status.failureReason", "status.failureMessage"];

const deletion = (timeout: string): Move => [
  `machineTemplate.${timeout}`,
  `machineTemplate.spec.deletion.${timeout}Seconds`,
  durationToSeconds,
];

const specFields = fields([
  ["machineTemplate.infrastructureRef", "machineTemplate.spec.infrastructureRef", groupReference],
  ...["nodeDrainTimeout", "nodeVolumeDetachTimeout", "nodeDeletionTimeout"].map(deletion),
]);

/** The spec of an RKE2ControlPlane. What older flavors say beside machineTemplate is followed when that says nothing else. */
const rke2ControlPlaneSpecShape: Shape = {
  up: (value, context) => {
    if (!isJsonObject(value)) return value;
    const { infrastructureRef, nodeDrainTimeout, ...rest } = value;
    const old = Object.entries({ infrastructureRef, nodeDrainTimeout }).filter(([, member]) => member !== undefined);
    if (old.length === 0) return specFields.up(rest, context);
    const template = isJsonObject(rest["machineTemplate"]) ? rest["machineTemplate"] : {};
    return specFields.up({ ...rest, machineTemplate: { ...Object.fromEntries(old), ...template } }, context);
  },
  down: (value, context) => specFields.down(value, context),
};

/** The status of an RKE2ControlPlane. */
const statusMoves: readonly Move[] = [
  ["status.initialized", "status.initialization.controlPlaneInitialized", plainBool],
  ["status.v1beta2.conditions", "status.conditions"],
  ["status.v1beta2.availableReplicas", "status.availableReplicas"],
  ["status.updatedReplicas", "status.upToDateReplicas"],
];

export const rke2ControlPlaneShape = fields([["spec", "spec", rke2ControlPlaneSpecShape], ...statusMoves], {
  older: [
    "status.ready",
    "status.conditions",
    "status.dataSecretName",
    "status.unavailableReplicas",
    "status.v1beta2.readyReplicas",
    "status.v1beta2.upToDateReplicas",
    ...legacyFailure,
  ],
});

/** An RKE2ControlPlaneTemplate; number and version are of its clones alone. */
export const rke2ControlPlaneTemplateShape = fields(
  [["spec.template.spec", "spec.template.spec", rke2ControlPlaneSpecShape]],
  { older: ["spec.template.spec.replicas", "spec.template.spec.version", "status"] },
);
