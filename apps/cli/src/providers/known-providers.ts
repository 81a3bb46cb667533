import { createBootstrapCompositeProvider } from "@capstan/bootstrap-composite";
import { createBootstrapKubeadmProvider } from "@capstan/bootstrap-kubeadm";
import { CapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { createCoreProvider } from "@capstan/core";
import { createLinodeProvider } from "@capstan/infra-linode";

const known: Readonly<Record<string, () => ProviderV1>> = {
  core: () => createCoreProvider(),
  "bootstrap-composite": () => createBootstrapCompositeProvider(),
  "bootstrap-kubeadm": () => createBootstrapKubeadmProvider(),
  "infra-linode": () => createLinodeProvider(),
};

export const providerNames = Object.keys(known);

/** Makes the named providers. Throws `up.provider_unknown`. */
export const createProviders = (names: readonly string[]): readonly ProviderV1[] =>
  names.map((name) => {
    const create = known[name];
    if (create !== undefined) return create();
    throw new CapstanError({
      code: "up.provider_unknown",
      reason: "ProviderUnknown",
      message: `--providers ${name}: there is no such provider; known are ${providerNames.join(", ")}`,
      retry: { kind: "never" },
    });
  });
