import { forbidden, selectorCauses } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { MachineDrainRule } from "../api.ts";

/** Validates a MachineDrainRule. */
export const validateMachineDrainRule = ({ spec }: MachineDrainRule): readonly Cause[] => [
  ...(spec.drain.order === undefined || spec.drain.behavior === "Drain"
    ? []
    : [forbidden("spec.drain.order", `must not be set with behavior ${spec.drain.behavior}, which waits for no turn`)]),
  ...(spec.machines ?? []).flatMap(({ selector, clusterSelector }, index) => [
    ...selectorCauses(selector, `spec.machines[${index}].selector`),
    ...selectorCauses(clusterSelector, `spec.machines[${index}].clusterSelector`),
  ]),
  ...(spec.pods ?? []).flatMap(({ selector, namespaceSelector }, index) => [
    ...selectorCauses(selector, `spec.pods[${index}].selector`),
    ...selectorCauses(namespaceSelector, `spec.pods[${index}].namespaceSelector`),
  ]),
];
