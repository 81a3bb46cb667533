import { forbidden } from "@capstan/kit/admission";
import { sameJson, type Cause } from "@capstan/schema";
import type { KubeadmControlPlane } from "../api.ts";

const path = "spec.kubeadmConfigSpec";

/** What the first Machine made the cluster with. */
const fixed = ["certificatesDir", "controlPlaneEndpoint", "caCertificateValidityPeriodDays"] as const;
const lasting = ["clusterConfiguration", "initConfiguration", "joinConfiguration"] as const;

const versionOf = (version: string): readonly [major: number, minor: number] => {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
  return [Number(major), Number(minor)];
};

/** One minor version after another, as kubeadm upgrades. */
const versionCauses = (before: string, after: string): readonly Cause[] => {
  const [[oldMajor, oldMinor], [major, minor]] = [versionOf(before), versionOf(after)];
  if (Number.isNaN(major) || Number.isNaN(oldMajor)) return [];
  return major === oldMajor && minor <= oldMinor + 1
    ? []
    : [forbidden("spec.version", `cannot go from ${before} to ${after}: one minor version after another`)];
};

/** What an update must leave as it is. */
export const changeCauses = ({ spec }: KubeadmControlPlane, { spec: old }: KubeadmControlPlane): readonly Cause[] => {
  const before = old.kubeadmConfigSpec?.clusterConfiguration ?? {};
  const after = spec.kubeadmConfigSpec?.clusterConfiguration ?? {};
  const wasExternal = before.etcd?.external !== undefined;
  const isExternal = after.etcd?.external !== undefined;
  return [
    ...fixed.flatMap((name) =>
      sameJson(before[name] ?? null, after[name] ?? null)
        ? []
        : [forbidden(`${path}.clusterConfiguration.${name}`, "cannot be modified")],
    ),
    ...lasting.flatMap((name) =>
      old.kubeadmConfigSpec?.[name] !== undefined && spec.kubeadmConfigSpec?.[name] === undefined
        ? [forbidden(`${path}.${name}`, "cannot be removed once it is set")]
        : [],
    ),
    ...(wasExternal === isExternal
      ? []
      : [
          forbidden(
            `${path}.clusterConfiguration.etcd.${wasExternal ? "external" : "local"}`,
            "cannot change between an external etcd and one on the Machines",
          ),
        ]),
    ...(sameJson(before.dns ?? null, after.dns ?? null)
      ? []
      : [
          forbidden(
            `${path}.clusterConfiguration.dns`,
            "cannot be modified: CoreDNS of a running cluster is not updated; change its Deployment",
          ),
        ]),
    ...versionCauses(old.version, spec.version),
  ];
};
