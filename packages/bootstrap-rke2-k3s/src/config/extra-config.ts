import type { KubeObject } from "@capstan/schema";
import { ConfigAnnotation } from "../api/conditions.ts";
import { annotationInvalid, annotationMap } from "./annotation-map.ts";

/** Keys that decide which cluster a machine belongs to. */
const fixed: readonly string[] = ["agent-token", "cluster-init", "server", "token"];

/** Keys of config.yaml for which there are no fields. Throws `distribution.annotation_invalid`. */
export const extraConfigOf = (object: KubeObject): Readonly<Record<string, unknown>> => {
  const value = annotationMap(object, ConfigAnnotation.extraConfig) ?? {};
  const taken = Object.keys(value).find((key) => fixed.includes(key.replace(/\+$/, "")));
  if (taken === undefined) return value;
  const problem = `must not have the key ${taken}, which belongs to the provider`;
  throw annotationInvalid(object, ConfigAnnotation.extraConfig, problem);
};
