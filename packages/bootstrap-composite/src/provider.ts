import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { bootstrapConfig } from "@capstan/kit/bootstrap";
import { compositeConfigConditions } from "./api/composite-conditions.ts";
import { CompositeConfigTemplate } from "./api/composite-config-template.ts";
import { CompositeConfig } from "./api/composite-config.ts";
import { compositeConfigAuthor } from "./config/composite-config.ts";
import { declaration, defaultOptions, type BootstrapCompositeProviderOptions } from "./options.ts";

/** A bootstrap provider whose documents are made of the documents of others: CompositeConfig and CompositeConfigTemplate. */
export const createBootstrapCompositeProvider = (options: BootstrapCompositeProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "bootstrap-composite",
    kinds: [CompositeConfig, CompositeConfigTemplate],
    conditions: { CompositeConfig: compositeConfigConditions },
    register: (host) => host.add(bootstrapConfig(compositeConfigAuthor({ ...defaultOptions, ...options }))),
  });

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, (_outside, options) =>
  createBootstrapCompositeProvider(options),
) satisfies CreateProviderV1;
