import type { OptionDeclarationV1 } from "@capstan/contract/v1";
import { Command } from "commander";
import { documentOutputOption, documentText } from "../document-output.ts";
import { objectStoresOption, providersOption } from "./module-options.ts";
import { objectStoreNames } from "./object-stores.ts";
import { providerNames } from "./providers.ts";
import { optionMeaning, type OptionText, optionTexts } from "../options/option-texts.ts";

interface OptionsFlags {
  readonly providers?: readonly string[];
  readonly objectStores?: readonly string[];
  readonly output: "text" | "json" | "yaml";
}

/** As the help of a command has its flags. */
const listText = (texts: readonly OptionText[], command: Command): string => {
  const helper = command.createHelp();
  helper.prepareContext({ helpWidth: process.stdout.columns ?? 80 });
  const terms = texts.map(({ name, type }) => ({ term: `${name}=<${type}>` }));
  const width = Math.max(...terms.map(({ term }) => term.length));
  const lines = texts.map((text, index) =>
    helper.formatItem(terms[index]?.term ?? "", width, optionMeaning(text), helper),
  );
  return `${lines.join("\n")}\n`;
};

/** `capstan options`, and `capstan help options`: what `--set-option` takes. */
export const optionsCommand = (write: (text: string) => void, done: (status: number) => void): Command => {
  const command = new Command("options")
    .description("List the options of providers and object stores for --set-option.")
    .addOption(providersOption())
    .addOption(objectStoresOption())
    .addOption(documentOutputOption("all options"))
    .addHelpText(
      "after",
      `
Examples:
  capstan options
  capstan options --providers bootstrap-kubeadm,infra-linode -o yaml
  capstan manager --set-option bootstrap-kubeadm.tokenTtl=30m`,
    );
  return command.action(async (flags: OptionsFlags) => {
    const { objectStores = objectStoreNames, output, providers = providerNames } = flags;
    const { declaredOptions } = await import("./declared-options.ts");
    const declared: readonly OptionDeclarationV1[] = await declaredOptions({ providers, objectStores });
    const texts = declared.flatMap(optionTexts);
    write(output === "text" ? listText(texts, command) : await documentText({ options: texts }, output));
    done(0);
  });
};
