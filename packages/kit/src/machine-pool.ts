export type {
  InfraMachinePoolAuthor,
  PoolBootstrap,
  PoolFacts,
  PoolMember,
  PoolObservation,
  PoolSurroundings,
  PoolVerbContext,
  PoolWriting,
} from "./roles/machine-pool/author.ts";
export { infraMachinePool } from "./roles/machine-pool/infra-machine-pool.ts";
export { absent, failed, pending, present, removing } from "./roles/machine-pool/outcomes.ts";
export type { PlannedMember, PoolPlan, PoolStrategy } from "./roles/machine-pool/plan.ts";
