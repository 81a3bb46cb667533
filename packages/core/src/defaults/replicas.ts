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
 * The number of replicas where none is wished: 1; with both annotations of the autoscaler, what there was before within
 * its bounds, or its minimum for a new object. Throws `core.autoscaler_annotation_invalid`.
 */
export const defaultReplicas = (metadata: ObjectMeta, before?: number): number => {
  const [min, max] = [size(metadata, Annotation.autoscalerMinSize), size(metadata, Annotation.autoscalerMaxSize)];
  if (min === undefined || max === undefined) return 1;
  return before === undefined ? min : Math.min(Math.max(before, min), max);
};
