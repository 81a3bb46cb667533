import { forbidden, invalid, required } from "@capstan/kit/admission";
import { tidy } from "@capstan/kit/conversion";
import { looksLikeJinja } from "@capstan/kit/bootstrap";
import type { Cause } from "@capstan/schema";
import { rke2AgentConfig } from "../api/rke2-agent-config.ts";
import type { RKE2ConfigSpec } from "../api/rke2-config.v1beta2.ts";
import { checkFiles } from "./files.ts";
import { controlCharacters } from "./plain-text.ts";
import { checkUserData, normalizedData } from "../render/user-data.ts";

type AgentConfig = NonNullable<RKE2ConfigSpec["agentConfig"]>;

const agentSchema = rke2AgentConfig();

/** A spec with its defaults: the format, normalised user data, and no empty values where the schema has none. */
export const defaultedRke2Spec = <S extends RKE2ConfigSpec>(spec: S): S => {
  const agent = tidy(agentSchema, spec.agentConfig ?? {}) as AgentConfig;
  const { additionalUserData } = agent;
  const agentConfig: AgentConfig = {
    ...agent,
    format: agent.format ?? "cloud-config",
    ...(additionalUserData?.data !== undefined && {
      additionalUserData: { ...additionalUserData, data: normalizedData(additionalUserData.data) },
    }),
  };
  return { ...spec, agentConfig };
};

const unused = (kubelet: AgentConfig["kubelet"] = {}): readonly string[] =>
  (["extraEnv", "extraMounts", "overrideImage"] as const).filter((name) => kubelet[name] !== undefined);

/** What a spec says that RKE2 has nothing for. */
export const rke2Warnings = ({ agentConfig = {} }: RKE2ConfigSpec, field: string): readonly string[] => {
  const { kubelet, nodeName = "" } = agentConfig;
  return [
    ...(nodeName === "" || looksLikeJinja(nodeName)
      ? []
      : [
          `${field}.agentConfig.nodeName is not used: without a Jinja expression several Nodes would have the same name`,
        ]),
    ...unused(kubelet).map((name) => `${field}.agentConfig.kubelet.${name} is not used: RKE2 has no such setting`),
  ];
};

const checkRegistries = ({ configs = {} }: NonNullable<RKE2ConfigSpec["privateRegistriesConfig"]>, field: string) =>
  Object.entries(configs).flatMap(([host, { authSecret, tls }]) =>
    authSecret === undefined && tls === undefined
      ? [required(`${field}.configs.${host}`, "set authSecret or tls; a registry that needs neither needs no entry")]
      : [],
  );

/** What is wrong with the spec of an RKE2Config, an RKE2ControlPlane or a template of them. */
export const checkRke2Spec = (spec: RKE2ConfigSpec, field: string): readonly Cause[] => {
  const { agentConfig = {}, files, privateRegistriesConfig = {} } = spec;
  const { additionalUserData = {}, airGapped, airGappedChecksum = "", format } = agentConfig;
  const agent = `${field}.agentConfig`;
  return [
    ...controlCharacters(spec, field),
    ...checkFiles(files, `${field}.files`, "/etc/rancher/rke2/config.yaml"),
    ...checkRegistries(privateRegistriesConfig, `${field}.privateRegistriesConfig`),
    ...checkUserData(additionalUserData, `${agent}.additionalUserData`),
    ...(format === "ignition" ? [forbidden(`${agent}.format`, "ignition is not supported yet; use cloud-config")] : []),
    ...(spec.gzipUserData === true
      ? [
          forbidden(
            `${field}.gzipUserData`,
            "it is not supported yet; infrastructure providers compress what is too large",
          ),
        ]
      : []),
    ...(/^[0-9a-fA-F]*$/.test(airGappedChecksum)
      ? []
      : [invalid(`${agent}.airGappedChecksum`, airGappedChecksum, "must be a SHA-256 in hexadecimal digits")]),
    ...(airGappedChecksum !== "" && airGapped !== true
      ? [forbidden(`${agent}.airGappedChecksum`, "it is of air-gapped installation; set airGapped")]
      : []),
  ];
};
