import { enumOf, flagField, list, object, optional, string } from "@capstan/schema";
import { bmcAction } from "../bmc/action.ts";

const actions = (description: string) => optional(list(bmcAction("An action."), { description }));

/** How a machine is booted into its workflow. */
export const bootOptions = () =>
  object(
    {
      toggleAllowNetboot: flagField("Whether booting from the network is allowed before and forbidden afterwards."),
      bootMode: optional(
        enumOf(["netboot", "isoboot", "iso", "customboot"], {
          description: "How board management boots the machine; not at all when unset.",
        }),
      ),
      isoURL: optional(string({ description: "Address of the image, for isoboot.", format: "uri" })),
      custombootConfig: optional(
        object(
          { preparingActions: actions("Actions before the workflow."), postActions: actions("Actions after it.") },
          { description: "What board management does, for customboot." },
        ),
      ),
    },
    { description: "How the machine is booted into the workflow." },
  );
