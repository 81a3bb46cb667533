import { isCapstanError } from "@capstan/contract";
import type { Blocker } from "./scope.ts";

/** The blocker that an error is. */
export const blockerOf = (error: unknown): Blocker => {
  const message = isCapstanError(error) ? error.message : "Please check controller logs for errors";
  const part = isCapstanError(error) ? error.details?.["template"] : undefined;
  return {
    message,
    olderReason: part === undefined ? "MachineCreationFailed" : `${String(part)}TemplateCloningFailed`,
  };
};
