import { Annotation, CapstanError } from "@capstan/contract";
import type { ObjectMeta } from "@capstan/schema";
import { CoreErrorCode } from "../errors.ts";

const sizeAnnotations = [Annotation.autoscalerMinSize, Annotation.autoscalerMaxSize] as const;

const size = (metadata: ObjectMeta, annotation: string): number => {
  const text = metadata.annotations?.[annotation] ?? "";
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new CapstanError({
    code: CoreErrorCode.autoscalerAnnotationInvalid,
    reason: "InvalidAnnotation",
    retry: { kind: "never" },
    message: `${metadata.namespace}/${metadata.name}: annotation ${annotation} must be a whole number, not ${JSON.stringify(text)}`,
  });
};

/**
 * The number of replicas where none is given: 1; with both annotations of the autoscaler, what there was before within
 * its bounds, or its minimum for a new object. One of them alone says nothing. Throws `core.autoscaler_annotation_invalid`.
 */
export const defaultReplicas = (metadata: ObjectMeta, before?: number): number => {
  if (sizeAnnotations.some((annotation) => metadata.annotations?.[annotation] === undefined)) return 1;
  const [min = 1, max = 1] = sizeAnnotations.map((annotation) => size(metadata, annotation));
  return before === undefined ? min : Math.min(Math.max(before, min), max);
};
