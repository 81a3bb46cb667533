import type { KubeObject } from "@capstan/schema";
import { changed, filled, isSet, type Part, partOf, specOf } from "../../values/object-parts.ts";
import { canonicalAmounts } from "../../values/quantity.ts";
import { nodeCauses, nodeUpdateCauses } from "../validation/node.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

/** All that a Node has can be handed out, unless said otherwise. */
const withAllocatable = (value: unknown): Part => {
  const status = ["capacity", "allocatable"].reduce<Part>(
    (part, name) => changed(part, name, canonicalAmounts),
    partOf(value),
  );
  return isSet(status["capacity"]) ? filled(status, { allocatable: status["capacity"] }) : status;
};

export const nodes: KindBehaviour = {
  applyDefaults: (object) => changed(object, "status", withAllocatable) as KubeObject,
  selectableFields: { "spec.unschedulable": (object) => String(specOf(object)["unschedulable"] === true) },
  strategy: {
    generation: false,
    keepsFirstStatus: true,
    unconditionalUpdate: true,
    validate: nodeCauses,
    validateUpdate: (object, old) => [...nodeCauses(object), ...nodeUpdateCauses(object, old)],
  },
  subresources: [
    { name: "proxy", verbs: ["create", "delete", "get", "patch", "update"], behaviour: { type: "absent" } },
    { name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } },
  ],
};
