import type { KubeObject } from "@capstan/schema";
import { listOf, partOf, specOf, textOf } from "../../values/object-parts.ts";
import { type Causes, forbidden, oneOf, unique } from "./causes.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export const nodeCauses = (object: KubeObject): Causes => {
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

export const nodeUpdateCauses = (object: KubeObject, old: KubeObject): Causes =>
  setOnce
    .filter((name) => {
      const before = textOf(specOf(old)[name]);
      return before !== "" && before !== textOf(specOf(object)[name]);
    })
    .map((name) => forbidden(`spec.${name}`, `node updates may not change ${name} except from "" to valid`));
