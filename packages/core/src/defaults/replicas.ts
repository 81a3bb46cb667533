import { Annotation, CapstanError } from "@capstan/contract";
import type { ObjectMeta } from "@capstan/schema";
import { CoreErrorCode } from "../errors.ts";

const size = (metadata: ObjectMeta, annotation: string): number | undefined => {
  const text = metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value)) return value;
  throw new CapstanError({
    code: CoreErrorCode.autoscalerAnnotationInvalid,
    reason: "InvalidAnnotation",
    retry: { kind: "never" },
    message: `${metadata.namespace}/${metadata.name}: annotation ${annotation} must be a whole number, not ${JSON.stringify(text)}`,
  });
};

/**
 * The number of replicas where none is wished: 1, or the minimum of the autoscaler once both of its annotations are
 * there. Throws `core.autoscaler_annotation_invalid`.
 */
export const defaultReplicas = (metadata: ObjectMeta): number => {
  const [min, max] = [size(metadata, Annotation.autoscalerMinSize), size(metadata, Annotation.autoscalerMaxSize)];
  return min === undefined || max === undefined ? 1 : min;
};
