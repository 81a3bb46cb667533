import { CapstanError } from "@capstan/contract";

/** Codes of every error this package throws. */
export const PkiErrorCode = {
  badKey: "pki.bad_key",
  badCertificate: "pki.bad_certificate",
  badKubeconfig: "pki.bad_kubeconfig",
} as const;

/** An unusable PEM or document. Retrying does not help. */
export const unusable = (
  code: (typeof PkiErrorCode)[keyof typeof PkiErrorCode],
  message: string,
  cause?: unknown,
): CapstanError =>
  new CapstanError({
    code,
    reason: "InvalidCredentials",
    message,
    retry: { kind: "never" },
    ...(cause === undefined ? {} : { cause }),
  });
