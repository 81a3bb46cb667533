import { CapstanError } from "@capstan/contract";
import { rootFile, type FileEntry } from "@capstan/kit/bootstrap";
import { minorOf } from "./versions.ts";

/** Makes what the CIS profiles of RKE2 ask of a machine: etcd's user, and settings of the kernel. */
const script = `#!/bin/sh
set -e
getent group etcd >/dev/null || groupadd --system etcd
id etcd >/dev/null 2>&1 || useradd --system --no-create-home --shell /sbin/nologin --gid etcd etcd
found=
for folder in /usr/share/rke2 /usr/local/share/rke2 /opt/rke2/share/rke2; do
  if [ -f "$folder/rke2-cis-sysctl.conf" ]; then
    cp -f "$folder/rke2-cis-sysctl.conf" /etc/sysctl.d/90-rke2-cis.conf
    found=yes
  fi
done
if [ -z "$found" ]; then
  echo "error: rke2-cis-sysctl.conf is in none of the folders of RKE2" >&2
  exit 1
fi
sysctl -p /etc/sysctl.d/90-rke2-cis.conf
`;

/** The script, for machines with a profile. Throws `distribution.profile_unsupported` for a profile of another Kubernetes version. */
export const cisScript = (profile: unknown, version: string): readonly FileEntry[] => {
  if (typeof profile !== "string" || profile === "") return [];
  const isNew = minorOf(version) >= 25;
  if ((profile === "cis" || profile === "cis-1.23") === isNew) {
    return [rootFile("/opt/rke2-cis-script.sh", script, "0700")];
  }
  throw new CapstanError({
    code: "distribution.profile_unsupported",
    reason: "ProfileUnsupported",
    message: `spec.agentConfig.cisProfile ${profile} does not exist in ${version}; use ${isNew ? "cis" : "cis-1.6"}`,
    retry: { kind: "never" },
  });
};
