export { forbidden, invalid, invalidContent, required, tooLong, unchanged } from "./admission/causes.ts";
export { packedFileCauses, translationCauses } from "./admission/ignition.ts";
export { annotationCauses, labelCauses, selectorCauses } from "./admission/labels.ts";
export { nulCauses } from "./admission/nul.ts";
export { textsIn } from "./admission/texts.ts";
export { taintCauses } from "./admission/taints.ts";
export { unusedEdits, valuesInUse, valuesInUseAnnotation } from "./admission/unused-edits.ts";
export type { ReadOnce } from "./admission/unused-edits.ts";
export { versionCauses } from "./admission/version.ts";
