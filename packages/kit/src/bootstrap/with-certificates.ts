import { isCapstanError } from "@capstan/contract";
import { certificatesAvailable, ConditionReason } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { BootstrapContext } from "../roles/bootstrap/author.ts";
import { RoleReason } from "../roles/reasons.ts";

const { type } = certificatesAvailable;

/** The codes of errors that `v1beta1` of conditions calls corruption: with `join` certificates that are not there as well. */
const corruptCodes = {
  init: ["bootstrap.certificates_corrupt"],
  join: ["bootstrap.certificates_corrupt", "bootstrap.certificates_missing"],
} as const;

/** Reads or makes certificates, and says in the condition CertificatesAvailable whether they are there, and if not, why. Throws what `read` throws. */
export const withCertificates = async <T>(
  context: Pick<BootstrapContext<KubeObject>, "condition">,
  command: keyof typeof corruptCodes,
  read: () => Promise<T>,
): Promise<T> => {
  try {
    const found = await read();
    context.condition({ type, status: "True", reason: RoleReason.certificatesAvailable });
    return found;
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    const isCorrupt = corruptCodes[command].some((code) => code === error.code);
    context.condition({
      type,
      status: "Unknown",
      reason: ConditionReason.internalError,
      message: error.message,
      deprecated: isCorrupt
        ? { status: "False", reason: RoleReason.certificatesCorrupted, severity: "Error" }
        : { status: "False", reason: RoleReason.certificatesGenerationFailed, severity: "Warning" },
    });
    throw error;
  }
};
