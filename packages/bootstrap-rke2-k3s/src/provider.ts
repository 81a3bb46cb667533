import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { bootstrapConfig, planVersions } from "@capstan/kit/bootstrap";
import { configConditions } from "./api/conditions.ts";
import { allWebhooks } from "./admission/webhooks.ts";
import type { KThreesConfig } from "./api.ts";
import { configAuthor } from "./config/config-author.ts";
import { kthreesConfigKind } from "./config/kthrees-config-kind.ts";
import { rke2ConfigKind } from "./config/rke2-config-kind.ts";
import { checkedVersion, k3sVersion, rke2Version } from "./render/versions.ts";
import { declaration, type BootstrapRke2K3sProviderOptions, defaultOptions } from "./options.ts";

/** The bootstrap provider of RKE2 and k3s: their configs and the templates of them. */
export const createBootstrapRke2K3sProvider = (options: BootstrapRke2K3sProviderOptions = {}): ProviderV1 => {
  const settings = { ...defaultOptions, ...options };
  return defineProvider({
    name: "bootstrap-rke2-k3s",
    kinds: allWebhooks.map(({ kind }) => kind),
    conditions: { RKE2Config: configConditions, KThreesConfig: configConditions },
    webhooks: allWebhooks,
    plan: planVersions(({ kind, spec }, { version, versionField }) => {
      const isK3s = kind === kthreesConfigKind.kind.kind;
      // A KThreesConfig with a version of its own was checked when it was applied.
      if (isK3s && ((spec as KThreesConfig["spec"])?.version ?? "") !== "") return;
      checkedVersion(version, versionField, isK3s ? k3sVersion : rke2Version);
    }),
    register: (host) => {
      host.add(bootstrapConfig(configAuthor(rke2ConfigKind, settings)));
      host.add(bootstrapConfig(configAuthor(kthreesConfigKind, settings)));
    },
  });
};

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, (_outside, options) =>
  createBootstrapRke2K3sProvider(options),
) satisfies CreateProviderV1;
