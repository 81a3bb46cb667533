export { admitReferences } from "./references/admit.ts";
export type { AdmittedReferences, ReferenceAdmission, ReferenceWrite, RequestUser } from "./references/admit.ts";
export { crossingReferences, declaredReferences } from "./references/crossing.ts";
export type { Crossing } from "./references/crossing.ts";
export { admittedReferencesAnnotation, carriedMark } from "./references/mark.ts";
export { anyReference, markedReferences, referencePolicy, requireAdmitted } from "./references/policy.ts";
export type { ReferencePolicy } from "./references/policy.ts";
