import { CapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";

/** Each is loaded when it is named. */
const known: Readonly<Record<string, () => Promise<ProviderV1>>> = {
  core: async () => (await import("@capstan/core")).createCoreProvider(),
  "bootstrap-composite": async () => (await import("@capstan/bootstrap-composite")).createBootstrapCompositeProvider(),
  "bootstrap-kubeadm": async () => (await import("@capstan/bootstrap-kubeadm")).createBootstrapKubeadmProvider(),
  "infra-linode": async () => (await import("@capstan/infra-linode")).createLinodeProvider(),
};

export const providerNames = Object.keys(known);

const createProvider = async (name: string): Promise<ProviderV1> => {
  const create = known[name];
  if (create !== undefined) return create();
  throw new CapstanError({
    code: "up.provider_unknown",
    reason: "ProviderUnknown",
    message: `--providers ${name}: there is no such provider; known are ${providerNames.join(", ")}`,
    retry: { kind: "never" },
  });
};

/** Loads and makes the named providers. Rejects with `up.provider_unknown`. */
export const createProviders = async (names: readonly string[]): Promise<readonly ProviderV1[]> =>
  Promise.all(names.map(createProvider));
