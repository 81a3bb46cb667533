import { Group } from "@capstan/contract";
import { provisionedAnnotation } from "@capstan/tinkerbell/api";

const machineDomain = "capt.tinkerbell.org";

/** On what is made for a TinkerbellMachine. */
export const madeForLabels = {
  name: `${machineDomain}/machine-name`,
  namespace: `${machineDomain}/machine-namespace`,
} as const;

/** Finalizer of TinkerbellMachines, and of Hardware while a machine has it. */
export const machineFinalizer = `${Group.infrastructure}/tinkerbellmachine`;
/** The same of older versions. */
export const oldMachineFinalizers: readonly string[] = [`tinkerbellmachine.${Group.infrastructure}`];

/** Annotations by which users and the controller talk. */
export const TinkerbellAnnotation = {
  /** On Hardware: its workflow has succeeded; it is never installed again for the same machine. */
  provisioned: provisionedAnnotation,
  /** On Hardware: the Template whose text its Templates get. */
  templateOverride: "hardware.tinkerbell.org/capt-template-override",
  /** On Hardware: the namespaces, with commas between them, to whose machines it is offered. Without it: to all. */
  offeredTo: "capstan.dev/offered-to",
  /** On a TinkerbellMachine that is being deleted: it is let go although its power could not be switched off. */
  skipPowerOff: "capstan.dev/skip-power-off",
} as const;
