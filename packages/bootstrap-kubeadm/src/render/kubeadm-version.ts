import { CapstanError } from "@capstan/contract";

/** Versions of the kubeadm configuration API that are written. */
export type KubeadmApi = "v1beta3" | "v1beta4";

const versionPattern = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-+].*)?$/;

/**
 * The configuration API that kubeadm of a Kubernetes version reads: v1beta3 from 1.22, v1beta4 from 1.31; a pre-release
 * suffix is ignored. Throws `kubeadm.version_invalid` for no version, `kubeadm.version_unsupported` below 1.22; `field` is where
 * the version stands, for its messages.
 */
export const kubeadmApiFor = (version: string | undefined, field = "Machine.spec.version"): KubeadmApi => {
  const match = versionPattern.exec(version ?? "");
  if (match === null) {
    throw new CapstanError({
      code: "kubeadm.version_invalid",
      reason: "VersionInvalid",
      message:
        version === undefined || version === ""
          ? `${field} is empty; set it to the Kubernetes version to install, for example v1.34.0`
          : `${field} ${JSON.stringify(version)} is not a semantic version such as v1.34.0`,
      retry: { kind: "never" },
    });
  }
  const [major, minor] = [Number(match[1]), Number(match[2])];
  if (major > 1 || minor >= 31) return "v1beta4";
  if (minor >= 22) return "v1beta3";
  throw new CapstanError({
    code: "kubeadm.version_unsupported",
    reason: "VersionUnsupported",
    message: `${field} ${version}: kubeadm before v1.22 is not supported`,
    retry: { kind: "never" },
  });
};
