import { fields, plainBool } from "@capstan/kit/admission";

/** An RKE2Config. Old conditions are not carried over: they were computed again for every reader. */
export const rke2ConfigShape = fields(
  [
    ["status.ready", "status.initialization.dataSecretCreated", plainBool],
    ["status.v1beta2.conditions", "status.conditions"],
  ],
  { older: ["status.conditions", "status.failureReason", "status.failureMessage"] },
);
