import { byText } from "@capstan/kube-values";

import manifest from "../../package.json" with { type: "json" };

/** A kind of modules that the command loads by name, path or package. */
export interface ModuleRole {
  /** The flag that names them. */
  readonly flag: string;
  /** Name of the exported factory, and the kind of thing that it makes. */
  readonly factory: string;
  readonly makes: string;
  /** Ours by a short name; `also` is a prefix that may stand for ours. */
  readonly shortName: { readonly prefix: string; readonly pattern: RegExp; readonly also?: string };
  /** The entry of a user's package that is meant when only the package is named; of ours it is always the first. */
  readonly entry: "." | "./sim";
}

export const providerRole: ModuleRole = {
  flag: "--providers",
  factory: "createProvider",
  makes: "ProviderV1",
  shortName: { prefix: "", pattern: /^(?:core|tinkerbell|(?:infra|bootstrap|controlplane|ipam)-.*)$/ },
  entry: ".",
};

/** Providers of which a server without managers needs the conversions alone. */
export const conversionRole: ModuleRole = { ...providerRole, flag: "--conversions" };

/** Infrastructure providers, for their flavors: `linode` is `infra-linode`. */
export const infrastructureRole: ModuleRole = {
  ...providerRole,
  flag: "--infrastructure",
  shortName: { prefix: "infra-", pattern: /^infra-/ },
};

export const simulationRole: ModuleRole = {
  flag: "--simulate",
  factory: "createSimulation",
  makes: "SimulationV1",
  shortName: { prefix: "sim-", pattern: /^sim-/, also: "infra-" },
  entry: "./sim",
};

/** A cloud that runs alone. */
export const aloneRole: ModuleRole = { ...simulationRole, flag: "simulate" };

export const objectStoreRole: ModuleRole = {
  flag: "--object-stores",
  factory: "createObjectStore",
  makes: "ObjectStoreOpener",
  shortName: { prefix: "object-store-", pattern: /^object-store-/ },
  entry: ".",
};

const scope = "@capstan/";

/** The package that a short name stands for: `linode`, `sim-linode` and `infra-linode` are all `@capstan/sim-linode` for a simulation. */
export const ownPackage = ({ shortName: { also = "", prefix } }: ModuleRole, name: string): string => {
  const short = also !== "" && name.startsWith(also) ? name.slice(also.length) : name;
  return `${scope}${short.startsWith(prefix) ? "" : prefix}${short}`;
};

/** Short names of ours that come with the command, core first. */
export const ownNames = ({ shortName: { prefix, pattern } }: ModuleRole): readonly string[] =>
  Object.keys(manifest.dependencies)
    .filter((name) => name.startsWith(scope))
    .map((name) => name.slice(scope.length))
    .filter((name) => pattern.test(name))
    .map((name) => name.slice(prefix.length))
    .toSorted((a, b) => Number(b === "core") - Number(a === "core") || byText(a, b));
