import { boolean, conditions, legacyConditions, list, object, optional } from "@capstan/schema";
import { word } from "./network-parts.ts";

/** Upstream keeps its long-running operations here; ours are in an annotation. */
const longRunningOperationStates = () =>
  list(
    object(
      {
        type: word("PUT, PATCH or DELETE."),
        resourceGroup: optional(word("Resource group of what is worked on.")),
        serviceName: word("Part of the controller."),
        name: word("Name of what is worked on."),
        data: word("By which the operation is found again."),
      },
      { description: "One operation." },
    ),
    { description: "Operations of upstream's controller; not used." },
  );

/** Returns the status fields that clusters and machines share: those of both contracts. */
export const commonStatus = () => ({
  ready: optional(boolean({ description: "It exists and can be used now (contract v1beta1)." })),
  initialization: optional(
    object(
      {
        provisioned: optional(
          boolean({ description: "It exists and can be used (contract v1beta2). Never unset once true." }),
        ),
      },
      { description: "What has been reached once." },
    ),
  ),
  conditions: optional(legacyConditions()),
  v1beta2: optional(object({ conditions: optional(conditions()) }, { description: "Fields of the v1beta2 contract." })),
  longRunningOperationStates: optional(longRunningOperationStates()),
});

/** Addresses in the status of a machine. */
export const addresses = () =>
  list(
    object(
      { type: word("What kind of address it is."), address: word("The address.") },
      { description: "One address." },
    ),
    { description: "Addresses of the machine." },
  );
