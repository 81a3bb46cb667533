import type { ServiceKey } from "@capstan/contract/v1";
import type { KubeObject, Resource } from "@capstan/schema";

/** The owner of a part. */
export interface NewPartPlace {
  readonly cluster: KubeObject;
  readonly machine: KubeObject;
}

/** Completes a part of a Machine that is about to be made with what its provider knows by then. */
export type CompletePart = (part: KubeObject, place: NewPartPlace) => Promise<KubeObject>;

/** Returns the key of the service that completes new objects of a kind; no provider has to offer one. */
export const completionOf = ({ group, kind }: Pick<Resource, "group" | "kind">): ServiceKey<CompletePart> => ({
  name: `completes new ${kind}.${group}`,
});
