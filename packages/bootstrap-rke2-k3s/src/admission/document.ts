import { bootstrapFormats } from "@capstan/contract/wire";
import { forbidden, packedFileCauses, required } from "@capstan/kit/admission";
import { looksLikeJinja } from "@capstan/kit/bootstrap";
import type { Cause } from "@capstan/schema";
import type { RKE2ConfigSpec } from "../api.ts";
import { checkUserData, normalizedData, userDataWarnings } from "../render/user-data.ts";
import { checkFiles } from "./files.ts";

type AgentConfig = NonNullable<RKE2ConfigSpec["agentConfig"]>;

/** The parts of both distributions' specs that concern the document. */
export interface DocumentSpec {
  readonly agentConfig?: Pick<AgentConfig, "additionalUserData" | "format" | "nodeName">;
  readonly files?: RKE2ConfigSpec["files"];
  readonly privateRegistriesConfig?: RKE2ConfigSpec["privateRegistriesConfig"];
}

/** The section for agents with normalised user data. */
export const withNormalizedData = <A extends Pick<AgentConfig, "additionalUserData">>(agent: A): A => {
  const { additionalUserData } = agent;
  if (additionalUserData?.data === undefined) return agent;
  return { ...agent, additionalUserData: { ...additionalUserData, data: normalizedData(additionalUserData.data) } };
};

const checkRegistries = ({ configs = {} }: NonNullable<DocumentSpec["privateRegistriesConfig"]>, field: string) =>
  Object.entries(configs).flatMap(([host, { authSecret, tls }]) =>
    authSecret === undefined && tls === undefined
      ? [required(`${field}.configs.${host}`, "set authSecret or tls, or remove the entry")]
      : [],
  );

/** Rejects settings that cloud-init supports and Ignition does not. */
const checkIgnition = ({ agentConfig = {}, files = [] }: DocumentSpec, field: string): readonly Cause[] => {
  const { format, nodeName = "" } = agentConfig;
  if (format !== bootstrapFormats.ignition) return [];
  return [
    ...packedFileCauses(files, `${field}.files`),
    ...(looksLikeJinja(nodeName)
      ? [forbidden(`${field}.agentConfig.nodeName`, "Ignition does not render expressions; use cloud-config")]
      : []),
  ];
};

/** Validates the parts of a spec that make up the document. `configFile` is the provider's own. */
export const checkDocument = (spec: DocumentSpec, field: string, configFile: string): readonly Cause[] => {
  const { agentConfig = {}, files, privateRegistriesConfig = {} } = spec;
  const { additionalUserData = {}, format } = agentConfig;
  return [
    ...checkFiles(files, `${field}.files`, configFile),
    ...checkRegistries(privateRegistriesConfig, `${field}.privateRegistriesConfig`),
    ...checkUserData(additionalUserData, `${field}.agentConfig.additionalUserData`, format),
    ...checkIgnition(spec, field),
  ];
};

/** Returns warnings about parts of a document that are probably not intended. */
export const documentWarnings = ({ agentConfig = {} }: DocumentSpec, field: string): readonly string[] => {
  const { additionalUserData = {}, format } = agentConfig;
  return userDataWarnings(additionalUserData, format).map(
    (warning) => `${field}.agentConfig.additionalUserData.config: ${warning.field}: ${warning.message}`,
  );
};
