import { isCapstanError } from "@capstan/contract";
import { ConditionReason } from "@capstan/contract/wire";
import { KubeadmConfigCondition, KubeadmConfigReason } from "../api/kubeadm-conditions.ts";
import type { Context } from "./uses.ts";

/** The codes of errors that the older generation of conditions calls corruption: with `join` certificates that are not there as well. */
const corruptCodes = {
  init: ["bootstrap.certificates_corrupt"],
  join: ["bootstrap.certificates_corrupt", "bootstrap.certificates_missing"],
} as const;

/** Reads or makes certificates, and says in a condition whether they are there, and if not, why. Throws what `read` throws. */
export const withCertificates = async <T>(
  context: Pick<Context, "condition">,
  command: keyof typeof corruptCodes,
  read: () => Promise<T>,
): Promise<T> => {
  const type = KubeadmConfigCondition.certificatesAvailable;
  const reasons = KubeadmConfigReason.certificatesAvailable;
  try {
    const found = await read();
    context.condition({ type, status: "True", reason: reasons.available });
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
        ? { status: "False", reason: reasons.corrupted, severity: "Error" }
        : { status: "False", reason: reasons.generationFailed, severity: "Warning" },
    });
    throw error;
  }
};
