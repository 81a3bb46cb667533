import { isJsonObject, type KubeObject } from "@capstan/schema";
import { ConfigAnnotation } from "../api/conditions.ts";
import type { Distribution } from "../render/distribution.ts";
import type { InstallerSettings, Source } from "../render/node-input.ts";
import { annotationInvalid, annotationMap } from "./annotation-map.ts";

const isVariable = ([name, value]: readonly [string, unknown]): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && typeof value === "string";

/** Returns what is wrong with the settings, worded for the annotation. */
const problemOf = (
  { url, variables = {}, ...others }: Readonly<Record<string, unknown>>,
  { installer }: Distribution,
  { agent }: Source,
): string | undefined => {
  const [other] = Object.keys(others);
  if (other !== undefined) return `must not have the key ${other}; its keys are url and variables`;
  if (url !== undefined && !(typeof url === "string" && /^https?:\/\/\S+$/.test(url))) {
    return "must have the URL of a script as url";
  }
  if (url !== undefined && agent["airGapped"] === true) return "must not have a url with agentConfig.airGapped";
  if (!isJsonObject(variables) || !Object.entries(variables).every(isVariable)) {
    return "variables must map names to strings; quote numbers and booleans";
  }
  const taken = Object.keys(variables).find((name) => installer.ownVariables.includes(name));
  return taken === undefined ? undefined : `must not set ${taken}, which belongs to the provider`;
};

/** Parses settings that override the distribution's default installation. Throws `distribution.annotation_invalid`. */
export const installerSettingsOf = (
  object: KubeObject,
  distribution: Distribution,
  source: Source,
): InstallerSettings => {
  const settings = annotationMap(object, ConfigAnnotation.installer) ?? {};
  const problem = problemOf(settings, distribution, source);
  if (problem === undefined) return settings;
  throw annotationInvalid(object, ConfigAnnotation.installer, problem);
};
