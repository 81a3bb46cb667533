import type { DocumentOutput } from "../document-output.ts";
import type { ManagementRequest } from "../management-session.ts";

/** What `capstan migrate tinkerbell` was asked to do. */
export interface MigrateRequest extends ManagementRequest {
  readonly files: readonly string[];
  readonly dryRun: boolean;
  readonly output: DocumentOutput;
}
