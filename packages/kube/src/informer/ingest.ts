import { Annotation } from "@capstan/contract";
import { apiVersionOf, type KubeObject, type ObjectMeta, type Resource } from "@capstan/schema";
import { deepFreeze } from "../freeze.ts";

/** Turns a decoded object into the one that the cache keeps; may change its argument. */
export type Ingest<T extends KubeObject> = (decoded: KubeObject) => T;

type Mutable = Record<string, unknown>;

const largeKinds = new Set(["/Secret", "/ConfigMap", "apiextensions.k8s.io/CustomResourceDefinition"]);

/** Returns how much of a kind's objects the cache keeps by default. */
export const defaultContents = (resource: Resource): "full" | "metadata" =>
  largeKinds.has(`${resource.group}/${resource.kind}`) ? "metadata" : "full";

/** Without field ownership and the copy that kubectl keeps: two thirds of an object's memory, read by no one here. */
const stripMetadata = (metadata: ObjectMeta): void => {
  // Assigned, not deleted: deleting would turn the object into a slow and larger dictionary.
  if (metadata.managedFields !== undefined) (metadata as Mutable)["managedFields"] = undefined;
  const annotations = metadata.annotations;
  if (annotations?.[Annotation.lastApplied] !== undefined) {
    const { [Annotation.lastApplied]: _dropped, ...kept } = annotations;
    (metadata as Mutable)["annotations"] = kept;
  }
};

const stripImages = (node: KubeObject): void => {
  const status = node["status"] as Mutable | undefined;
  if (status?.["images"] !== undefined) status["images"] = undefined;
};

/** The ingest transform of a kind: strips, fills in the type that lists of built-in kinds omit, and freezes. */
export const ingestOf = <T extends KubeObject>(resource: Resource<T>, contents: "full" | "metadata"): Ingest<T> => {
  const type = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const isNode = resource.group === "" && resource.kind === "Node";
  return (decoded) => {
    const metadata = decoded.metadata;
    stripMetadata(metadata);
    if (contents === "metadata") return deepFreeze({ ...type, metadata }) as T;
    if (isNode) stripImages(decoded);
    if (decoded.apiVersion !== undefined && decoded.kind !== undefined) return deepFreeze(decoded) as T;
    return deepFreeze({ ...decoded, ...type }) as T;
  };
};
