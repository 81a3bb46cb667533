import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { bootstrapConfig, planVersions } from "@capstan/kit/bootstrap";
import { kubeadmConfigConditions } from "./api/kubeadm-conditions.ts";
import { webhooks } from "./admission/webhooks.ts";
import { KubeadmConfigTemplate } from "./api/kubeadm-config-template.v1beta2.ts";
import { KubeadmConfig } from "./api/kubeadm-config.v1beta2.ts";
import { kubeadmConfigAuthor } from "./config/kubeadm-config.ts";
import { kubeadmApiFor } from "./render/kubeadm-version.ts";
import { declaration, defaultOptions, type BootstrapKubeadmProviderOptions } from "./options.ts";

const kinds = [KubeadmConfig, KubeadmConfigTemplate];

/** The kubeadm bootstrap provider: KubeadmConfig and KubeadmConfigTemplate. */
export const createBootstrapKubeadmProvider = (options: BootstrapKubeadmProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "bootstrap-kubeadm",
    kinds,
    conditions: { KubeadmConfig: kubeadmConfigConditions },
    webhooks,
    plan: planVersions((_config, { version, versionField }) => kubeadmApiFor(version, versionField)),
    register: (host) => host.add(bootstrapConfig(kubeadmConfigAuthor({ ...defaultOptions, ...options }))),
  });

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, (_outside, options) =>
  createBootstrapKubeadmProvider(options),
) satisfies CreateProviderV1;
