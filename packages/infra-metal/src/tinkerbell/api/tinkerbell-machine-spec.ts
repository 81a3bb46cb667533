import { bootFields } from "@capstan/tinkerbell/api";
import { object, optional, string, text } from "@capstan/schema";
import { hardwareAffinity } from "./hardware-affinity.ts";
import { imageLookupFields } from "./image-lookup.ts";

/** The spec of a TinkerbellMachine, of its own or in a template. */
export const tinkerbellMachineSpec = () =>
  object(
    {
      ...imageLookupFields,
      imageLookupBaseRegistry: optional(string({ description: "Registry of the image; the cluster's when unset." })),
      imageLookupOSDistro: optional(string({ description: "Distribution of the image; the cluster's when unset." })),
      templateOverride: optional(string({ description: "The text of the machine's Template." })),
      hardwareAffinity: optional(hardwareAffinity()),
      bootOptions: optional(object(bootFields, { description: "How the machine is booted into its workflow." })),
      hardwareName: optional(
        string({
          description: "Name of the machine's Hardware; set by the controller, or by a user who wants this one.",
        }),
      ),
      providerID: optional(text(512, "tinkerbell://<namespace>/<name of the Hardware>; set by the controller.")),
    },
    { description: "The machine wanted." },
  );
