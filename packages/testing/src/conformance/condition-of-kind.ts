import type { Condition } from "@capstan/contract/wire";
import { conditionOf } from "@capstan/contract/wire";
import { contractOfKind } from "@capstan/kit/engine";
import type { KubeObject, Resource } from "@capstan/schema";

/** A condition of an object, where the contract of its kind has it. */
export const conditionOfKind = (kind: Resource, object: KubeObject, type: string): Condition | undefined =>
  conditionOf(object, type, contractOfKind(kind));
