import { toBase64 } from "@capstan/kube-values";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import { partOf, textOf } from "../../values/object-parts.ts";
import { immutable } from "../validation/causes.ts";
import { immutableDataCauses } from "../validation/data-values.ts";
import { secretCauses } from "../validation/secret.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

/** Returns whether nothing but texts, or nulls, is in it; anything else stays where it is, and is refused there. */
const isText = (value: unknown): boolean =>
  isJsonObject(value) && Object.values(value).every((text) => typeof text === "string" || text === null);

/** Moves `stringData`, which is write-only, into `data`. */
const applyDefaults = (object: KubeObject): KubeObject => {
  const { stringData, ...rest } = object;
  const added = Object.entries(partOf(stringData)).map(([key, text]) => [key, toBase64(textOf(text))]);
  const type = textOf(object["type"]) === "" ? { type: "Opaque" } : {};
  if (stringData === undefined || (stringData !== null && !isText(stringData))) {
    return { ...object, ...type };
  }
  return { ...rest, ...type, data: { ...partOf(object["data"]), ...Object.fromEntries(added) } };
};

export const secrets: KindBehaviour = {
  applyDefaults,
  selectableFields: { type: (object) => textOf(object["type"]) },
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    validate: secretCauses,
    validateUpdate: (object, old) => [
      ...secretCauses(object),
      ...(object["type"] === old["type"] ? [] : [immutable("type", object["type"])]),
      ...immutableDataCauses(object, old, ["data"]),
    ],
  },
};
