import { isCapstanError, type CapstanError } from "@capstan/contract";
import { ElementalReason } from "../api/elemental-conditions.ts";
import { elementalError } from "../errors.ts";

/** Codes, with the reason that each is in the condition ComponentsReady. */
const problems = {
  download_failed: { code: "elemental.bundle_download_failed", reason: ElementalReason.downloadFailed },
  install_failed: { code: "elemental.bundle_install_failed", reason: ElementalReason.installFailed },
  platform_unsupported: { code: "elemental.bundle_platform_unsupported", reason: ElementalReason.unsupportedPlatform },
  reference_invalid: { code: "elemental.bundle_reference_invalid", reason: ElementalReason.downloadFailed },
  verification_failed: { code: "elemental.bundle_verification_failed", reason: ElementalReason.verificationFailed },
} as const;

/** An error about a component bundle; its reason is that of the condition ComponentsReady. */
export const bundleError = (problem: keyof typeof problems, message: string, cause?: unknown): CapstanError =>
  elementalError({
    ...problems[problem],
    message,
    // What a registry did not answer, it may answer later; and what is wrong with a bundle may be put right at its place.
    retry: { kind: problem === "reference_invalid" ? "never" : "backoff" },
    ...(cause === undefined ? {} : { cause }),
  });

/** Returns whether something went wrong with a bundle itself. */
export const isBundleError = (error: unknown): error is CapstanError =>
  Object.values(problems).some(({ code }) => isCapstanError(error, code));
