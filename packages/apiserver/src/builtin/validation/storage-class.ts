import type { KubeObject } from "@capstan/schema";
import { type Causes, oneOf } from "./causes.ts";

export const storageClassCauses = (object: KubeObject): Causes => [
  ...oneOf("reclaimPolicy", object["reclaimPolicy"], ["", "Delete", "Retain"]),
  ...oneOf("volumeBindingMode", object["volumeBindingMode"], ["Immediate", "WaitForFirstConsumer"]),
];
