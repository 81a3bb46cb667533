import { CapstanError, type ProxyFor } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";

/** The way to the clouds. */
interface Outside {
  /** The HTTP proxy on the way to an address. Default: none. */
  readonly proxyFor?: ProxyFor;
}

/** Each is loaded when it is named. */
const known: Readonly<Record<string, (outside: Outside) => Promise<ProviderV1>>> = {
  core: async () => (await import("@capstan/core")).createCoreProvider(),
  "bootstrap-composite": async () => (await import("@capstan/bootstrap-composite")).createBootstrapCompositeProvider(),
  "bootstrap-kubeadm": async () => (await import("@capstan/bootstrap-kubeadm")).createBootstrapKubeadmProvider(),
  "infra-linode": async (outside) => (await import("@capstan/infra-linode")).createLinodeProvider(outside),
};

export const providerNames = Object.keys(known);

const createProvider = async (name: string, { proxyFor }: Outside): Promise<ProviderV1> => {
  const create = known[name];
  if (create !== undefined) return create(proxyFor === undefined ? {} : { proxyFor });
  throw new CapstanError({
    code: "up.provider_unknown",
    reason: "ProviderUnknown",
    message: `--providers ${name}: there is no such provider; known are ${providerNames.join(", ")}`,
    retry: { kind: "never" },
  });
};

/** Loads and makes the named providers. Rejects with `up.provider_unknown`. */
export const createProviders = async (
  names: readonly string[],
  outside: Outside = {},
): Promise<readonly ProviderV1[]> => Promise.all(names.map((name) => createProvider(name, outside)));
