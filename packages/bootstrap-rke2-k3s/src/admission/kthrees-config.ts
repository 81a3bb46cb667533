import { forbidden, invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { KThreesConfigSpec } from "../api/kthrees-config.ts";
import type { KThreesControlPlane } from "../api/kthrees-control-plane.ts";
import { k3sVersion } from "../render/versions.ts";
import { checkDocument, documentWarnings, withNormalizedData } from "./document.ts";
import { controlCharacters } from "./plain-text.ts";

/** A spec with its defaults: the cloud controller is elsewhere. */
export const defaultedKthreesSpec = (spec: KThreesConfigSpec): KThreesConfigSpec => {
  const { agentConfig, serverConfig } = spec;
  return {
    ...spec,
    ...(agentConfig !== undefined && { agentConfig: withNormalizedData(agentConfig) }),
    ...(serverConfig !== undefined && {
      serverConfig: { disableCloudController: true, cloudProviderName: "external", ...serverConfig },
    }),
  };
};

/** What a spec says that has no effect, or is likely not meant. */
export const kthreesWarnings = (spec: KThreesConfigSpec, field: string): readonly string[] => [
  ...documentWarnings(spec, field),
  ...(spec.serverConfig?.disableExternalCloudProvider === undefined
    ? []
    : [
        `${field}.serverConfig.disableExternalCloudProvider is not used in v1beta2: set disableCloudController and cloudProviderName`,
      ]),
];

const ports = ["advertisePort", "httpsListenPort"] as const;

const isPort = (text: string): boolean => /^[0-9]+$/.test(text) && Number(text) > 0 && Number(text) < 65_536;

const checkVersion = (version: string, field: string): readonly Cause[] =>
  k3sVersion.pattern.test(version)
    ? []
    : [invalid(field, version, `must be a version of k3s such as ${k3sVersion.example}`)];

/** What is wrong with the spec of a KThreesConfig, a KThreesControlPlane or a template of them. */
export const checkKthreesSpec = (spec: KThreesConfigSpec, field: string): readonly Cause[] => {
  const { serverConfig = {}, version = "" } = spec;
  return [
    ...controlCharacters(spec, field),
    ...checkDocument(spec, field, "/etc/rancher/k3s/config.yaml"),
    ...ports.flatMap((name) => {
      const port = serverConfig[name] ?? "";
      return port === "" || isPort(port) ? [] : [invalid(`${field}.serverConfig.${name}`, port, "must be a port")];
    }),
    ...(version === "" ? [] : checkVersion(version, `${field}.version`)),
  ];
};

/** What is wrong with a new or changed KThreesControlPlane beside that. */
export const checkKthreesControlPlane = (
  { spec }: KThreesControlPlane,
  old: KThreesControlPlane | undefined,
): readonly Cause[] => {
  const { replicas = 1, version } = spec ?? {};
  return [
    ...(replicas > 0 ? [] : [forbidden("spec.replicas", "a control plane has at least one server")]),
    ...(version === undefined || version === old?.spec?.version ? [] : checkVersion(version, "spec.version")),
  ];
};
