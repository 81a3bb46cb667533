export { applyMigration } from "./migration/apply-migration.ts";
export type { StepOutcome } from "./migration/apply-migration.ts";
export { planMigration } from "./migration/plan-migration.ts";
export type { MigrationParts, MigrationStep } from "./migration/plan-migration.ts";
export { readExports } from "./migration/read-exports.ts";
export type { TinkExports } from "./migration/read-exports.ts";
