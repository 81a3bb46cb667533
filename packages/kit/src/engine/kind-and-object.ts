import type { KubeObject, Resource } from "@capstan/schema";

/** An object with its kind. */
export interface KindAndObject {
  readonly kind: Resource;
  readonly object: KubeObject;
}
