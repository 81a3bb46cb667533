import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { bootstrapConfig } from "@capstan/kit/bootstrap";
import { KubeadmConfigTemplate } from "./api/kubeadm-config-template.v1beta2.ts";
import { KubeadmConfig } from "./api/kubeadm-config.v1beta2.ts";
import { kubeadmConfigAuthor } from "./config/kubeadm-config.ts";
import { defaultOptions, type BootstrapKubeadmProviderOptions } from "./options.ts";

/** The kubeadm bootstrap provider: KubeadmConfig and KubeadmConfigTemplate. */
export const createBootstrapKubeadmProvider = (options: BootstrapKubeadmProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "bootstrap-kubeadm",
    kinds: [KubeadmConfig, KubeadmConfigTemplate],
    register: (host) => host.add(bootstrapConfig(kubeadmConfigAuthor({ ...defaultOptions, ...options }))),
  });
