import { byText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";

const ageOf = ({ metadata }: KubeObject): string => `${metadata.creationTimestamp ?? ""}/${metadata.uid ?? ""}`;

/** Returns whether an object was created before another; of two with the same time it is always the same one. */
export const isOlder = (left: KubeObject, right: KubeObject): boolean => byText(ageOf(left), ageOf(right)) < 0;
