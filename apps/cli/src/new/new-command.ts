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
  new Command("new").description("Start a project of your own.").addCommand(
    new Command("provider")
      .description("Create a provider package that builds, passes its tests and runs.")
      .argument("<name>", "name of the vendor, such as big-cloud")
      .addOption(new Option("--role <role>", "role of the provider").choices([...templateRoles]).default("infra"))
      .option("--kind <kind>", "prefix of its kinds (default: the name, as in BigCloudMachine)")
      .option("--directory <folder>", "output folder (default: capstan-<role>-<name>, in the repository packages/…)")
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
