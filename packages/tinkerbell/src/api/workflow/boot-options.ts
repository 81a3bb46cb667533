import { enumOf, flagField, list, object, optional, string } from "@capstan/schema";
import { bmcAction } from "../bmc/action.ts";

const actions = (description: string) => optional(list(bmcAction("An action."), { description }));

/** Fields for how board management boots a machine into its workflow. */
export const bootFields = {
  bootMode: optional(
    enumOf(["netboot", "isoboot", "iso", "customboot"], {
      description: "How board management boots the machine; not at all when unset.",
    }),
  ),
  isoURL: optional(string({ description: "Address of the image, for isoboot and iso.", format: "uri" })),
  custombootConfig: optional(
    object(
      { preparingActions: actions("Actions before the workflow."), postActions: actions("Actions after it.") },
      { description: "What board management does, for customboot." },
    ),
  ),
} as const;

/** Returns the schema of the options for booting a machine into its workflow. */
export const bootOptions = () =>
  object(
    {
      toggleAllowNetboot: flagField("Whether booting from the network is allowed before and forbidden afterwards."),
      ...bootFields,
    },
    { description: "How the machine is booted into the workflow." },
  );
