import { kind, object, optional } from "@capstan/schema";
import { tinkerbellKind } from "./names.ts";
import { tinkerbellMachineSpec } from "./tinkerbell-machine-spec.ts";

/** Template for the TinkerbellMachines of a set or a control plane. */
export const TinkerbellMachineTemplate = kind({
  ...tinkerbellKind,
  kind: "TinkerbellMachineTemplate",
  plural: "tinkerbellmachinetemplates",
  description: "What the TinkerbellMachines of a set or a control plane are made from.",
  spec: optional(
    object({
      template: object({ spec: tinkerbellMachineSpec() }, { description: "The machine." }),
    }),
  ),
});

/** One TinkerbellMachineTemplate. */
export type TinkerbellMachineTemplate = typeof TinkerbellMachineTemplate.Type;
