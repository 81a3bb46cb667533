import type { KubeadmConfigSpec } from "@capstan/bootstrap-kubeadm/spec";
import { forbidden, invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";

const fileCauses = ({ files = [] }: KubeadmConfigSpec, path: string): readonly Cause[] =>
  files.flatMap((file, index) => [
    ...(file.content !== undefined && file.contentFrom !== undefined
      ? [invalid(`${path}.files[${index}]`, file.path, "only one of content and contentFrom may be set")]
      : []),
    ...(files.findIndex((other) => other.path === file.path) < index
      ? [invalid(`${path}.files[${index}].path`, file.path, "another file has the same path")]
      : []),
  ]);

const userCauses = ({ users = [] }: KubeadmConfigSpec, path: string): readonly Cause[] =>
  users.flatMap(({ name, passwd, passwdFrom }, index) =>
    passwd !== undefined && passwdFrom !== undefined
      ? [invalid(`${path}.users[${index}]`, name, "only one of passwd and passwdFrom may be set")]
      : [],
  );

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

const diskCauses = ({ diskSetup }: KubeadmConfigSpec, path: string): readonly Cause[] =>
  (diskSetup?.partitions ?? []).flatMap(({ diskLayout = [] }, index) => {
    const sum = diskLayout.reduce((total, { percentage }) => total + percentage, 0);
    return sum > 100
      ? [invalid(`${path}.diskSetup.partitions[${index}].diskLayout`, sum, "the percentages add up to more than 100")]
      : [];
  });

const userOfDiscovery = ({ joinConfiguration }: KubeadmConfigSpec, path: string): readonly Cause[] => {
  const user = joinConfiguration?.discovery?.file?.kubeConfig?.user;
  return user?.authProvider !== undefined && user.exec !== undefined
    ? [
        invalid(
          `${path}.joinConfiguration.discovery.file.kubeConfig.user`,
          user.authProvider.name,
          "only one of authProvider and exec may be set",
        ),
      ]
    : [];
};

/** What the machines cannot be told: they are made Nodes by cloud-init. */
const ignitionCauses = ({ format, ignition }: KubeadmConfigSpec, path: string): readonly Cause[] => [
  ...(format === "ignition" ? [forbidden(`${path}.format`, "ignition is not supported; use cloud-config")] : []),
  ...(ignition === undefined ? [] : [forbidden(`${path}.ignition`, "ignition is not supported; use cloud-config")]),
];

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

/** What is wrong with the configuration of a control plane's machines. */
export const configCauses = (spec: KubeadmConfigSpec | undefined, path: string): readonly Cause[] =>
  spec === undefined
    ? []
    : [fileCauses, userCauses, timeoutCauses, diskCauses, userOfDiscovery, ignitionCauses, clusterCauses].flatMap(
        (rule) => rule(spec, path),
      );
