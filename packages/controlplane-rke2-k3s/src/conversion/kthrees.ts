import { kthreesSpecShape } from "@capstan/bootstrap-rke2-k3s/spec";
import { fields, type Shape } from "@capstan/kit/admission";

/** A reference that the older version demands. */
const demanded: Shape = { up: (value) => value, down: (value) => value ?? {} };

export const kthreesControlPlaneShape = fields(
  [
    ["spec.kthreesConfigSpec", "spec.kthreesConfigSpec", kthreesSpecShape],
    ["spec.infrastructureTemplate", "spec.machineTemplate.infrastructureRef", demanded],
    ["spec.upgradeAfter", "spec.rolloutAfter"],
    ["spec.nodeDrainTimeout", "spec.machineTemplate.nodeDrainTimeout"],
  ],
  {
    newer: [
      "spec.machineTemplate.nodeVolumeDetachTimeout",
      "spec.machineTemplate.nodeDeletionTimeout",
      "status.version",
    ],
  },
);
