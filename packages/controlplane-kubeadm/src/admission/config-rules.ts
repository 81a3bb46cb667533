import { configCauses, type KubeadmConfigSpec } from "@capstan/bootstrap-kubeadm/spec";
import { forbidden, invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import { dnsVersion } from "../workload/core-dns-version.ts";

const timeoutCauses = ({ initConfiguration, joinConfiguration }: KubeadmConfigSpec, path: string): readonly Cause[] => {
  const field = "timeouts.controlPlaneComponentHealthCheckSeconds";
  const init = initConfiguration?.timeouts?.controlPlaneComponentHealthCheckSeconds;
  const join = joinConfiguration?.timeouts?.controlPlaneComponentHealthCheckSeconds;
  return init === join
    ? []
    : [
        invalid(`${path}.initConfiguration.${field}`, init, `must be the same as joinConfiguration.${field}`),
        invalid(`${path}.joinConfiguration.${field}`, join, `must be the same as initConfiguration.${field}`),
      ];
};

const tag = /^[\w][\w.-]{0,127}$/;

const clusterCauses = ({ clusterConfiguration }: KubeadmConfigSpec, path: string): readonly Cause[] => {
  const { certificateValidityPeriodDays: days, caCertificateValidityPeriodDays: authorityDays = 3650 } =
    clusterConfiguration ?? {};
  const { dns, etcd } = clusterConfiguration ?? {};
  const at = `${path}.clusterConfiguration`;
  const tags = [
    [`${at}.dns.imageTag`, dns?.imageTag],
    [`${at}.etcd.local.imageTag`, etcd?.local?.imageTag],
  ] as const;
  return [
    ...tags.flatMap(([field, value]) =>
      value === undefined || tag.test(value) ? [] : [forbidden(field, `${value} is not the tag of an image`)],
    ),
    ...(dns?.imageTag !== undefined && tag.test(dns.imageTag) && dnsVersion(dns.imageTag) === undefined
      ? [invalid(`${at}.dns.imageTag`, dns.imageTag, "must start with a CoreDNS version, for example v1.12.0")]
      : []),
    ...(etcd?.local !== undefined && etcd.external !== undefined
      ? [forbidden(`${at}.etcd.local`, "only one of local and external may be set")]
      : []),
    ...(days !== undefined && days > authorityDays
      ? [
          invalid(
            `${at}.certificateValidityPeriodDays`,
            days,
            `must not be longer than caCertificateValidityPeriodDays, ${authorityDays}`,
          ),
        ]
      : []),
  ];
};

/** Validates the configuration of a control plane's machines. */
export const machineConfigCauses = (spec: KubeadmConfigSpec | undefined, path: string): readonly Cause[] =>
  spec === undefined ? [] : [configCauses, timeoutCauses, clusterCauses].flatMap((rule) => rule(spec, path));
