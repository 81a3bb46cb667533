import { CapstanError } from "@capstan/contract";

/** A Template that gives no workflow; nothing is retried before something changes. */
export const invalidTemplate = (problem: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "tink.template_invalid",
    reason: "TemplateInvalid",
    message: problem,
    retry: { kind: "never" },
    ...(cause === undefined ? {} : { cause }),
  });

/** A machine that cannot be made to boot into its workflow, or out of it: the workflow has failed. */
export const bootFailed = (problem: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "tink.boot_failed",
    reason: "BootFailed",
    message: problem,
    retry: { kind: "never" },
    ...(cause === undefined ? {} : { cause }),
  });
