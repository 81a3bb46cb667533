import { Command, Option } from "commander";
import type { NewProviderOptions } from "./new-provider.ts";
import { templateRoles, type TemplateRole } from "./templates.ts";

interface NewProviderFlags {
  readonly role: TemplateRole;
  readonly kind?: string;
  readonly directory?: string;
}

/** `capstan new provider`: the beginning of a provider of one's own. */
export const newCommand = (
  run: (options: NewProviderOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("new").description("Begin something of one's own.").addCommand(
    new Command("provider")
      .description("Write a package with a provider that builds, passes its tests and runs, to begin with.")
      .argument("<name>", "name of the vendor, such as big-cloud")
      .addOption(new Option("--role <role>", "what it provides").choices([...templateRoles]).default("infra"))
      .option("--kind <kind>", "how its kinds begin (default: the name, as in BigCloudMachine)")
      .option("--directory <folder>", "folder to write (default: capstan-<role>-<name>, in the repository packages/…)")
      .addHelpText(
        "after",
        `
Examples:
  capstan new provider big-cloud
  capstan new provider big-cloud --role bootstrap
  capstan new provider big-cloud --role object-store --directory ./store`,
      )
      .action(async (name: string, { role, kind, directory }: NewProviderFlags) =>
        done(await run({ name, role, kind, directory })),
      ),
  );
