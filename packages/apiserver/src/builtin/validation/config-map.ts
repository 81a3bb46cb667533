import type { KubeObject } from "@capstan/schema";
import { partOf } from "../../values/object-parts.ts";
import { type Causes, invalid } from "./causes.ts";
import { dataKeyCauses, dataSizeCauses } from "./data-values.ts";

export const configMapCauses = (object: KubeObject): Causes => {
  const [data, binaryData] = [partOf(object["data"]), partOf(object["binaryData"])];
  return [
    ...dataKeyCauses("data", data),
    ...dataKeyCauses("binaryData", binaryData),
    ...Object.keys(binaryData)
      .filter((key) => Object.hasOwn(data, key))
      .map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
    ...dataSizeCauses("", data, binaryData),
  ];
};
