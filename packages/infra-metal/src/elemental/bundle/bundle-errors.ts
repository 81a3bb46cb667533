import { isCapstanError, type CapstanError } from "@capstan/contract";
import { ElementalReason } from "../api/elemental-conditions.ts";
import { elementalError } from "../errors.ts";

/** Codes, with their reason, which for those that hosts meet is that of the condition ComponentsReady. */
const problems = {
  build_failed: { code: "elemental.bundle_build_failed", reason: "BuildFailed" },
  download_failed: { code: "elemental.bundle_download_failed", reason: ElementalReason.downloadFailed },
  install_failed: { code: "elemental.bundle_install_failed", reason: ElementalReason.installFailed },
  layout_invalid: { code: "elemental.bundle_layout_invalid", reason: "LayoutInvalid" },
  platform_unsupported: { code: "elemental.bundle_platform_unsupported", reason: ElementalReason.unsupportedPlatform },
  push_failed: { code: "elemental.bundle_push_failed", reason: "PushFailed" },
  reference_invalid: { code: "elemental.bundle_reference_invalid", reason: ElementalReason.downloadFailed },
  sign_failed: { code: "elemental.bundle_sign_failed", reason: "SignFailed" },
  verification_failed: { code: "elemental.bundle_verification_failed", reason: ElementalReason.verificationFailed },
} as const;

/** An error about a component bundle; its reason is that of the condition ComponentsReady, where hosts can meet it. */
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
