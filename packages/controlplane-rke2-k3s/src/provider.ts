import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { controlPlane } from "@capstan/kit/control-plane";
import { allWebhooks } from "./admission/webhooks.ts";
import { kthreesConditions, memberTable, rke2Conditions } from "./api/conditions.ts";
import { distributionAuthor } from "./control-plane/author.ts";
import { kthreesControlPlane } from "./distribution/kthrees.ts";
import { rke2ControlPlane } from "./distribution/rke2.ts";
import { declaration, defaultOptions, type ControlplaneRke2K3sProviderOptions } from "./options.ts";

/** The control plane provider of RKE2 and k3s: RKE2ControlPlane, KThreesControlPlane and the templates of them. */
export const createControlplaneRke2K3sProvider = (options: ControlplaneRke2K3sProviderOptions = {}): ProviderV1 => {
  const settings = { ...defaultOptions, ...options };
  return defineProvider({
    name: "controlplane-rke2-k3s",
    kinds: allWebhooks.map(({ kind }) => kind),
    conditions: {
      RKE2ControlPlane: rke2Conditions,
      KThreesControlPlane: kthreesConditions,
      Machine: memberTable,
    },
    webhooks: allWebhooks,
    register: (host) => {
      host.add(controlPlane(distributionAuthor(rke2ControlPlane, settings)));
      host.add(controlPlane(distributionAuthor(kthreesControlPlane, settings)));
    },
  });
};

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, (_outside, options) =>
  createControlplaneRke2K3sProvider(options),
) satisfies CreateProviderV1;
