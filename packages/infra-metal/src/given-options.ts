import { formatEndpoint } from "@capstan/contract/wire";
import { presentFields } from "@capstan/kube-values";
import type { Variable } from "./elemental/options.ts";
import { readElementalOptions } from "./elemental/read-options.ts";
import type { GivenMetalOptions, MetalProviderOptions } from "./options.ts";

/** Where Tinkerbell's services serve metadata. */
const metadataPort = 7080;

/** Where installed systems find their metadata, as the environment says. */
const metadataUrlIn = (variable: Variable): string | undefined => {
  const address = variable("TINKERBELL_ADDRESS");
  return (
    variable("TINKERBELL_METADATA_URL") ??
    (address && `http://${formatEndpoint({ host: address, port: metadataPort })}`)
  );
};

const textOf = (value: boolean | number | string | undefined, unit = ""): string | undefined =>
  value === undefined ? undefined : `${value}${unit}`;

/** Options of the Elemental part by the variables that mean the same. */
const elementalVariables = (options: GivenMetalOptions): Readonly<Record<string, string>> =>
  presentFields({
    ELEMENTAL_API_ENDPOINT: options.elementalEndpoint,
    ELEMENTAL_API_PROTOCOL: options.elementalProtocol,
    ELEMENTAL_API_ENABLE_TLS: textOf(options.elementalTls),
    ELEMENTAL_API_LISTEN: options.elementalListen,
    ELEMENTAL_API_TLS_CERTIFICATE: options.elementalCertFile,
    ELEMENTAL_API_TLS_PRIVATE_KEY: options.elementalKeyFile,
    ELEMENTAL_API_TLS_CA: options.elementalCaFile,
    ELEMENTAL_ENABLE_DEFAULT_CA: textOf(options.elementalShareCa),
    ELEMENTAL_BOOT_MEDIA_URL: options.elementalBootMediaUrl,
    ELEMENTAL_REGISTRY_CA: options.elementalRegistryCaFile,
    ELEMENTAL_BUNDLE_FOLDER: options.elementalBundleFolder,
    ELEMENTAL_HOST_LIMIT: textOf(options.elementalHostLimit),
    ELEMENTAL_TOKEN_DURATION: textOf(options.elementalTokenDurationMs, "ms"),
  });

/** The options that the command has been given, and for the rest what variables of the environment say. */
export const givenOptions = (options: GivenMetalOptions, variable: Variable): MetalProviderOptions => {
  const elemental = elementalVariables(options);
  const shared = variable("TINKERBELL_SHARED_NAMESPACES")
    ?.split(/[\s,]+/)
    .filter((name) => name !== "");
  return presentFields({
    metadataUrl: options.metadataUrl ?? metadataUrlIn(variable),
    powerOffNamespace: options.powerOffNamespace ?? variable("TINKERBELL_POWER_OFF_NAMESPACE"),
    sharedNamespaces: options.sharedNamespaces ?? shared,
    userDataIn: options.userDataIn ?? (variable("TINKERBELL_USER_DATA_IN") === "hardware" ? "hardware" : undefined),
    elemental: readElementalOptions((name) => elemental[name] ?? variable(name)),
  });
};
