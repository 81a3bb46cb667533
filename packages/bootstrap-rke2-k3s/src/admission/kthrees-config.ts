import { invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { KThreesConfigSpec } from "../api/kthrees-config.ts";
import { k3sVersion } from "../render/versions.ts";
import { checkDocument, documentWarnings, withNormalizedData } from "./document.ts";
import { controlCharacters } from "./plain-text.ts";
import type { SpecRules } from "./spec-webhooks.ts";

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

/** Returns warnings about settings without effect or probably not intended. */
const kthreesWarnings = (spec: KThreesConfigSpec, field: string): readonly string[] => [
  ...documentWarnings(spec, field),
  ...(spec.serverConfig?.disableExternalCloudProvider === undefined
    ? []
    : [
        `${field}.serverConfig.disableExternalCloudProvider is not used in v1beta2: set disableCloudController and cloudProviderName`,
      ]),
];

const ports = ["advertisePort", "httpsListenPort"] as const;

const isPort = (text: string): boolean => /^[0-9]+$/.test(text) && Number(text) > 0 && Number(text) < 65_536;

/** The cause of refusing a version that is not a version of k3s, at most one. */
export const checkKthreesVersion = (version: string, field: string): readonly Cause[] =>
  k3sVersion.pattern.test(version)
    ? []
    : [invalid(field, version, `must be a version of k3s such as ${k3sVersion.example}`)];

/** Validates the spec of a KThreesConfig, a KThreesControlPlane or a template of them. */
const checkKthreesSpec = (spec: KThreesConfigSpec, field: string): readonly Cause[] => {
  const { serverConfig = {}, version = "" } = spec;
  return [
    ...controlCharacters(spec, field),
    ...checkDocument(spec, field, "/etc/rancher/k3s/config.yaml"),
    ...ports.flatMap((name) => {
      const port = serverConfig[name] ?? "";
      return port === "" || isPort(port) ? [] : [invalid(`${field}.serverConfig.${name}`, port, "must be a port")];
    }),
    ...(version === "" ? [] : checkKthreesVersion(version, `${field}.version`)),
  ];
};

/** Defaults, rules and warnings of the spec of a KThreesConfig. */
export const kthreesSpecRules: SpecRules<KThreesConfigSpec> = {
  complete: defaultedKthreesSpec,
  check: checkKthreesSpec,
  warnings: kthreesWarnings,
};
