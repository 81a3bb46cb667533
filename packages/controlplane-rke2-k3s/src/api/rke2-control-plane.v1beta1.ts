import { legacyStatus, newConditions } from "@capstan/bootstrap-rke2-k3s/spec";
import { int32, kind, object, objectReference, optional, string, textField, textsField } from "@capstan/schema";
import { rke2ControlPlaneNames } from "./names.ts";
import {
  olderMachineTemplate,
  removalDurations,
  replicas,
  rke2ControlPlaneFields,
  versionPattern,
} from "./rke2-control-plane-spec.ts";
import { count, lastRemediation } from "./status-fields.ts";

/** The spec of v1beta1; what it has beside later versions is deprecated, and still followed. */
export const olderRke2ControlPlaneSpec = () =>
  object(
    {
      ...rke2ControlPlaneFields(),
      replicas,
      version: optional(string({ description: "Version of RKE2, for example v1.35.4+rke2r1.", ...versionPattern })),
      machineTemplate: olderMachineTemplate(),
      infrastructureRef: optional(
        objectReference({ description: "Deprecated: machineTemplate.infrastructureRef, when that is unset." }),
      ),
      nodeDrainTimeout: removalDurations.nodeDrainTimeout,
    },
    { description: "The spec." },
  );

const counts = {
  readyReplicas: count("Servers that are Ready."),
  availableReplicas: count("Servers that are Available."),
  upToDateReplicas: count("Servers that are as the object wants them."),
};

/** The status of v1beta1. */
export const olderRke2ControlPlaneStatus = () =>
  object({
    ...legacyStatus,
    initialized: optional(legacyStatus.ready.optional),
    dataSecretName: textField("Unused."),
    availableServerIPs: textsField("Where machines register.", "An address."),
    lastRemediation: lastRemediation("rke2"),
    replicas: count("Servers that exist."),
    readyReplicas: counts.readyReplicas,
    updatedReplicas: count("Servers that are as the object wants them."),
    unavailableReplicas: optional(int32({ description: "Servers that are missing or not Ready." })),
    version: textField("Lowest version of a server."),
    v1beta2: optional(
      object({ ...counts, conditions: newConditions }, { description: "Fields of API version v1beta2." }),
    ),
  });

export const RKE2ControlPlaneV1Beta1 = kind({
  ...rke2ControlPlaneNames,
  version: "v1beta1",
  storage: false,
  spec: optional(olderRke2ControlPlaneSpec()),
  status: olderRke2ControlPlaneStatus(),
});

/** One RKE2ControlPlane in API version v1beta1. */
export type RKE2ControlPlaneV1Beta1 = typeof RKE2ControlPlaneV1Beta1.Type;
