export { adoptOrphan, isControlledBy } from "./objects/adopt-orphan.ts";
export { createApplier } from "./objects/apply.ts";
export type { Applier, ApplierOptions } from "./objects/apply.ts";
export { allAtOnce, inSlowStart, throwFirst } from "./objects/at-once.ts";
export { boundContext } from "./objects/bound-client.ts";
export {
  findCondition,
  internalError,
  isConditionTrue,
  readFrom,
  withConditions,
  withDeprecated,
  withoutConditions,
} from "./objects/conditions.ts";
export { listLive } from "./objects/list-live.ts";
export { replaced, withMetadata, withSpec, withStatus } from "./objects/replaced.ts";
