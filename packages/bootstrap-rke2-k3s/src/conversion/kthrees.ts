import { each, fields, type Shape } from "@capstan/kit/admission";
import { isJsonObject } from "@capstan/schema";

const deprecatedFlag = "disableExternalCloudProvider";

/** One flag became two fields: who runs the cloud controller, and what the components know of it. */
const serverConfig: Shape = {
  up: (value) => {
    if (!isJsonObject(value) || typeof value[deprecatedFlag] !== "boolean") return value;
    const { [deprecatedFlag]: isDisabled, ...rest } = value;
    return isDisabled
      ? { ...rest, disableCloudController: false, cloudProviderName: "" }
      : { ...rest, disableCloudController: true, cloudProviderName: "external" };
  },
  down: (value) => {
    if (!isJsonObject(value)) return value;
    const { [deprecatedFlag]: _, disableCloudController, ...rest } = value;
    return disableCloudController === undefined ? rest : { ...rest, [deprecatedFlag]: disableCloudController !== true };
  },
};

/** The older version has contents from Secrets of the own namespace alone. */
const file: Shape = {
  up: (value) => value,
  down: (value) => {
    if (!isJsonObject(value) || !isJsonObject(value["contentFrom"])) return value;
    const { contentFrom, ...rest } = value;
    const { secret } = contentFrom as { readonly secret?: unknown };
    if (!isJsonObject(secret)) return rest;
    const { namespace: _, ...key } = secret;
    return { ...rest, contentFrom: { secret: key } };
  },
};

/** The spec of a KThreesConfig. */
export const kthreesSpecShape = fields(
  [
    ["serverConfig", "serverConfig", serverConfig],
    ["files", "files", each(file)],
  ],
  {
    newer: [
      "gzipUserData",
      "privateRegistriesConfig",
      "agentConfig.additionalUserData",
      "agentConfig.format",
      "agentConfig.ntp",
      "serverConfig.externalDatastoreSecret",
      "agentConfig.airGappedInstallScriptPath",
      "serverConfig.cloudProviderName",
      "serverConfig.etcdProxyImage",
      "serverConfig.systemDefaultRegistry",
    ],
  },
);

export const kthreesConfigShape = fields([["spec", "spec", kthreesSpecShape]]);

export const kthreesConfigTemplateShape = fields([["spec.template.spec", "spec.template.spec", kthreesSpecShape]], {
  newer: ["spec.template.metadata"],
});
