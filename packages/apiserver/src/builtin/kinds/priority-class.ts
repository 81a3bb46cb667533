import type { KubeObject } from "@capstan/schema";
import { filled } from "../../values/object-parts.ts";
import { forbidden } from "../validation/causes.ts";
import { priorityClassCauses } from "../validation/priority-class.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

export const priorityClasses: KindBehaviour = {
  applyDefaults: (object) => filled(object, { value: 0, preemptionPolicy: "PreemptLowerPriority" }) as KubeObject,
  strategy: {
    unconditionalUpdate: true,
    validate: priorityClassCauses,
    validateUpdate: (object, old) =>
      ["value", "preemptionPolicy"]
        .filter((field) => object[field] !== old[field])
        .map((field) => forbidden(field, "may not be changed in an update.")),
  },
};
