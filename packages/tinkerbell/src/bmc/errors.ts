import { CapstanError } from "@capstan/contract";

/** No one answers, or not as board management does: it may pass. */
export const unreachable = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "tink.bmc_unreachable",
    reason: "BmcUnreachable",
    message,
    ...(cause === undefined ? {} : { cause }),
  });

export const refusedCredentials = (message: string): CapstanError =>
  new CapstanError({ code: "tink.bmc_unauthorized", reason: "BmcUnauthorized", message });

/** It answered that it does not do this. */
export const refusedRequest = (message: string): CapstanError =>
  new CapstanError({ code: "tink.bmc_refused", reason: "BmcRefused", message });

/** The spec asks for something that is not there: nothing will change before the spec does. */
export const invalidConnection = (message: string): CapstanError =>
  new CapstanError({
    code: "tink.bmc_connection",
    reason: "BmcConnectionInvalid",
    message,
    retry: { kind: "never" },
  });
