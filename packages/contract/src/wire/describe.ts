import type { KubeObject } from "@capstan/schema";

/** `Kind namespace/name`, for messages. */
export const describeObject = (object: Pick<KubeObject, "kind" | "metadata">): string => {
  const { namespace, name } = object.metadata;
  return `${object.kind} ${namespace === undefined ? "" : `${namespace}/`}${name ?? "(unnamed)"}`;
};
