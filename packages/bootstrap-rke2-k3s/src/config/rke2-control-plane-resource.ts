import { Group } from "@capstan/contract";
import { type KubeObject, type ObjectReference, resource } from "@capstan/schema";
import type { RKE2ServerConfig } from "../api/rke2-server-config.ts";

/** The fields of an RKE2ControlPlane that bootstrap data is made from. */
export interface RKE2ControlPlaneFields extends KubeObject {
  readonly spec?: {
    readonly manifestsConfigMapReference?: ObjectReference;
    readonly registrationAddress?: string;
    readonly registrationMethod?: string;
    readonly serverConfig?: RKE2ServerConfig;
  };
  readonly status?: { readonly availableServerIPs?: readonly string[] };
}

/** RKE2ControlPlane by its name: the kind is the control plane provider's, which is built on this package. */
export const RKE2ControlPlaneResource = resource<RKE2ControlPlaneFields>({
  group: Group.controlPlane,
  version: "v1beta2",
  kind: "RKE2ControlPlane",
  plural: "rke2controlplanes",
});
