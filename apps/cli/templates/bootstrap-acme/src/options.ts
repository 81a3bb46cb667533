import { type OptionDeclarationV1, optionDefaults, type OptionsV1, type OptionValuesV1 } from "@capstan/contract/v1";

const declared = {
  poll: {
    type: "duration",
    default: 10_000,
    min: 1000,
    max: 300_000,
    help: "how often it is asked for what another machine makes",
  },
} as const satisfies OptionsV1;

/** Options of the provider. */
export type BootstrapAcmeProviderOptions = OptionValuesV1<typeof declared>;

export const bootstrapAcmeDefaults = optionDefaults(declared);

/** The options as the command takes them: `--set-option bootstrap-acme.poll=30s`. */
export const declaration = { of: "bootstrap-acme", options: declared } satisfies OptionDeclarationV1;
