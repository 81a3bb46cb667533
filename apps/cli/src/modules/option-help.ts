import type { Command } from "commander";
import { objectStoreNames } from "./object-stores.ts";
import { providerNames } from "./providers.ts";
import { setOptionName } from "../options/set-option-flag.ts";

const isHelp = (words: readonly string[]): boolean =>
  words[0] === "help" || words.slice(1).some((word) => word === "--help" || word === "-h");

/**
 * Adds the names of all options to the help of those commands that take them. Returns what has to be called with the command line before it
 * is parsed: help is printed at once, and the options are in modules that are loaded only for it.
 */
export const withOptionNames = (commands: readonly Command[]): ((words: readonly string[]) => Promise<void>) => {
  const takers = commands.filter(({ options }) => options.some(({ long }) => long === setOptionName));
  let text = "";
  for (const command of takers) command.addHelpText("after", () => text);
  return async (words) => {
    if (!isHelp(words) || !takers.some((command) => words.slice(0, 2).includes(command.name()))) return;
    const [{ declaredOptions }, { optionNames }] = await Promise.all([
      import("./declared-options.ts"),
      import("../options/option-texts.ts"),
    ]);
    const declared = await declaredOptions({ providers: providerNames, objectStores: objectStoreNames });
    text = `\n${optionNames(declared)}`;
  };
};
