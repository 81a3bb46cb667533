import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { bootstrapConfig } from "@capstan/kit/bootstrap";
import manifest from "../package.json" with { type: "json" };
import { AcmeConfig, AcmeConfigTemplate } from "./api.ts";
import { acmeConfigAuthor } from "./config/acme-config.ts";
import { type BootstrapAcmeProviderOptions, declaration } from "./options.ts";

/** The bootstrap provider for Acme. */
export const createBootstrapAcmeProvider = (options: BootstrapAcmeProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "bootstrap-acme",
    version: manifest.version,
    kinds: [AcmeConfig, AcmeConfigTemplate],
    register: (host) => host.add(bootstrapConfig(acmeConfigAuthor(options))),
  });

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, (_outside, options) =>
  createBootstrapAcmeProvider(options),
) satisfies CreateProviderV1;
