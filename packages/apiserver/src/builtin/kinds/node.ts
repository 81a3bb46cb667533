import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { forbidden, oneOf, unique } from "../validation/causes.ts";
import type { Causes } from "../validation/causes.ts";
import { changed, filled, isSet, listOf, type Part, partOf, specOf, textOf } from "../../values/object-parts.ts";
import { canonicalAmounts } from "../../values/quantity.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

const validate = (object: KubeObject): Causes => {
  const taints = listOf(specOf(object)["taints"]).map(partOf);
  return [
    ...taints.flatMap(({ effect }, index) => oneOf(`metadata.taints[${index}].effect`, effect, effects)),
    ...unique(
      taints,
      (taint) => [partOf(taint)["key"], partOf(taint)["effect"]],
      (index) => `metadata.taints[${index}]`,
    ),
  ];
};

/** Fields that can be set once. */
const setOnce = ["providerID", "podCIDR"];

const changedOnce = (object: KubeObject, old: KubeObject): Causes =>
  setOnce
    .filter((name) => {
      const before = textOf(specOf(old)[name]);
      return before !== "" && before !== textOf(specOf(object)[name]);
    })
    .map((name) => forbidden(`spec.${name}`, `node updates may not change ${name} except from "" to valid`));

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
    validate,
    validateUpdate: (object, old) => [...validate(object), ...changedOnce(object, old)],
  },
  subresources: [
    { name: "proxy", verbs: ["create", "delete", "get", "patch", "update"], behaviour: { type: "absent" } },
    { name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } },
  ],
};
