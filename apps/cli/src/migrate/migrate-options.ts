import type { DocumentOutput } from "../document-output.ts";
import type { ManagementRequest } from "../management-session.ts";

/** Options of `capstan migrate tinkerbell`. */
export interface MigrateRequest extends ManagementRequest {
  readonly files: readonly string[];
  readonly dryRun: boolean;
  readonly output: DocumentOutput;
}
