import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { invalid } from "../validation/causes.ts";
import type { Causes } from "../validation/causes.ts";
import { partOf } from "../../values/object-parts.ts";
import { dataKeyCauses, dataSizeCauses, immutableDataCauses } from "./secret.ts";

const validate = (object: KubeObject): Causes => {
  const [data, binaryData] = [partOf(object["data"]), partOf(object["binaryData"])];
  return [
    ...dataKeyCauses("data", data),
    ...dataKeyCauses("binaryData", binaryData),
    ...Object.keys(data)
      .filter((key) => Object.hasOwn(binaryData, key))
      .map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
    ...dataSizeCauses("", data, binaryData),
  ];
};

export const configMaps: KindBehaviour = {
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    validate,
    validateUpdate: (object, old) => [...validate(object), ...immutableDataCauses(object, old, ["data", "binaryData"])],
  },
};
