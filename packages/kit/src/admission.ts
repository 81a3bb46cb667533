export { forbidden, invalid, invalidContent, required, tooLong, unchanged } from "./admission/causes.ts";
export { annotationCauses, labelCauses, selectorCauses } from "./admission/labels.ts";
export { taintCauses } from "./admission/taints.ts";
export { versionCauses } from "./admission/version.ts";
