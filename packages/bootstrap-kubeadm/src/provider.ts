import type { CreateProviderV1, ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { bootstrapConfig } from "@capstan/kit/bootstrap";
import { conversionWebhooks } from "@capstan/kit/conversion";
import { KubeadmConfigTemplate } from "./api/kubeadm-config-template.v1beta2.ts";
import { KubeadmConfig } from "./api/kubeadm-config.v1beta2.ts";
import { kubeadmConfigAuthor } from "./config/kubeadm-config.ts";
import { kubeadmConverters } from "./conversion/kubeadm-converters.ts";
import { defaultOptions, type BootstrapKubeadmProviderOptions } from "./options.ts";

const kinds = [KubeadmConfig, KubeadmConfigTemplate];

/** The kubeadm bootstrap provider: KubeadmConfig and KubeadmConfigTemplate. */
export const createBootstrapKubeadmProvider = (options: BootstrapKubeadmProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "bootstrap-kubeadm",
    kinds,
    webhooks: conversionWebhooks(kinds, kubeadmConverters),
    register: (host) => host.add(bootstrapConfig(kubeadmConfigAuthor({ ...defaultOptions, ...options }))),
  });

/** The provider as the command loads it. */
export const createProvider: CreateProviderV1 = () => createBootstrapKubeadmProvider();
