import { Annotation } from "@capstan/contract";
import { forbidden } from "@capstan/kit/admission";
import { sameJson, type Cause, type ObjectMeta } from "@capstan/schema";
import type { KubeadmControlPlane } from "../api.ts";
import { dnsUpgradeProblem } from "../workload/core-dns-version.ts";

const path = "spec.kubeadmConfigSpec";

/** Fields that the first Machine created the cluster with. */
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
    : [forbidden("spec.version", `cannot go from ${before} to ${after}: upgrade one minor version at a time`)];
};

/** Versions of CoreDNS whose Corefile can be changed for the other one. */
const dnsCauses = ({ annotations }: ObjectMeta, before: string | undefined, after: string | undefined) => {
  const isOurs = annotations?.[Annotation.skipCoreDns] === undefined;
  if (!isOurs || before === undefined || after === undefined || before === after) return [];
  const problem = dnsUpgradeProblem(before, after);
  return problem === undefined
    ? []
    : [
        forbidden(
          `${path}.clusterConfiguration.dns.imageTag`,
          `cannot go from ${before} to ${after}: ${problem}; with the annotation ${Annotation.skipCoreDns}, CoreDNS is left alone`,
        ),
      ];
};

/** Returns the fields that an update must not change but does. */
export const changeCauses = (
  { metadata, spec }: KubeadmControlPlane,
  { spec: old }: KubeadmControlPlane,
): readonly Cause[] => {
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
    ...dnsCauses(metadata, before.dns?.imageTag, after.dns?.imageTag),
    ...versionCauses(old.version, spec.version),
  ];
};
