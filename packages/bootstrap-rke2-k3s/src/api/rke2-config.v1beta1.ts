import { kind, object, optional, textField } from "@capstan/schema";
import { rke2ConfigNames } from "./names.ts";
import { rke2ConfigFields } from "./rke2-config-spec.ts";
import { legacyStatus, newConditions } from "./status-fields.ts";

export const RKE2ConfigV1Beta1 = kind({
  ...rke2ConfigNames,
  version: "v1beta1",
  storage: false,
  spec: optional(object(rke2ConfigFields())),
  status: object({
    ...legacyStatus,
    dataSecretName: textField("Secret with the bootstrap data."),
    v1beta2: optional(object({ conditions: newConditions }, { description: "Fields of API version v1beta2." })),
  }),
});

/** One RKE2Config in API version v1beta1. */
export type RKE2ConfigV1Beta1 = typeof RKE2ConfigV1Beta1.Type;
