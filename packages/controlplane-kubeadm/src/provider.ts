import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { controlPlane } from "@capstan/kit/control-plane";
import { kubeadmControlPlaneConditions, memberConditions } from "./api/control-plane-conditions.ts";
import { webhooks } from "./admission/webhooks.ts";
import { kubeadmControlPlaneAuthor } from "./control-plane/author.ts";
import { declaration, defaultOptions, type ControlplaneKubeadmProviderOptions } from "./options.ts";

/** The kubeadm control plane provider: KubeadmControlPlane and KubeadmControlPlaneTemplate. */
export const createControlplaneKubeadmProvider = (options: ControlplaneKubeadmProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "controlplane-kubeadm",
    kinds: webhooks.map(({ kind }) => kind),
    conditions: { KubeadmControlPlane: kubeadmControlPlaneConditions, Machine: memberConditions },
    webhooks,
    register: (host) => host.add(controlPlane(kubeadmControlPlaneAuthor({ ...defaultOptions, ...options }))),
  });

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, (_outside, options) =>
  createControlplaneKubeadmProvider(options),
) satisfies CreateProviderV1;
