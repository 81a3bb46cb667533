import { kind, object, optional } from "@capstan/schema";
import { serverFields } from "./acme-machine-spec.ts";
import { shared } from "./names.ts";

/** Template of the AcmeMachines of a set. */
export const AcmeMachineTemplate = kind({
  ...shared,
  kind: "AcmeMachineTemplate",
  plural: "acmemachinetemplates",
  description: "What the AcmeMachines of a set are made of.",
  spec: object(
    {
      template: object(
        { spec: optional(object(serverFields, { description: "Spec of the machines." })) },
        { description: "The machine." },
      ),
    },
    { description: "The template." },
  ),
});
