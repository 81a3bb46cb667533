import { kind, object, objectReference, optional, string, textField, textsField } from "@capstan/schema";
import { rke2ServerConfig } from "../src/api/rke2-server-config.ts";
import { RKE2ControlPlaneResource } from "../src/config/rke2-control-plane-resource.ts";

/** RKE2ControlPlane with the fields that configs are made from; the control plane provider has the whole kind. */
export const RKE2ControlPlane = kind({
  ...RKE2ControlPlaneResource,
  description: "The servers of an RKE2 cluster.",
  spec: optional(
    object({
      manifestsConfigMapReference: optional(objectReference({ description: "ConfigMap with manifests." })),
      registrationAddress: textField("Where machines register."),
      registrationMethod: textField("How that is chosen."),
      serverConfig: optional(rke2ServerConfig()),
      version: string({ description: "Version of RKE2." }),
    }),
  ),
  status: object({ availableServerIPs: textsField("Where machines register.", "An address.") }),
});
