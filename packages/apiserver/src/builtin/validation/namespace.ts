import type { KubeObject } from "@capstan/schema";
import { listOf, specOf, textOf } from "../../values/object-parts.ts";
import { type Causes, invalid } from "./causes.ts";

export const kubernetesFinalizer = "kubernetes";

export const finalizerCauses = (object: KubeObject): Causes =>
  listOf(specOf(object)["finalizers"])
    .map(textOf)
    .filter((name) => !name.includes("/") && name !== kubernetesFinalizer)
    .map((name) =>
      invalid("spec.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified"),
    );
