import { Command } from "commander";
import { type DocumentOutput, documentOutputOption } from "../document-output.ts";
import { managementRequest, withManagementFlags, type ManagementFlags } from "../management-flags.ts";

interface MigrateFlags extends ManagementFlags {
  readonly filename: readonly string[];
  readonly dryRun?: true;
  readonly output: DocumentOutput;
}

const added = (file: string, before: readonly string[] = []): readonly string[] => [...before, file];

/** `capstan migrate`. */
export const migrateCommand = (write: (text: string) => void, done: (status: number) => void): Command =>
  new Command("migrate").description("Import objects of other programs into the management API.").addCommand(
    withManagementFlags(
      new Command("tinkerbell")
        .description("Create Hardware, Templates and Workflows from the PostgreSQL data of an older Tinkerbell.")
        .requiredOption("-f, --filename <file>", "JSON that tink or PostgreSQL wrote; may be repeated", added)
        .option("--dry-run", "only report what would be created"),
    )
      .addOption(documentOutputOption("the report and, with --dry-run, the objects"))
      .addHelpText(
        "after",
        `
The files are those of tink hardware get --format json, tink template get and tink workflow get, or rows of the tables.
Ids are kept in annotations; metadata of machines becomes fields, and user data becomes spec.userData. Ended workflows
keep their state and never run again. Running ones are reported and left out. Objects of an earlier run stay unchanged,
so an interrupted migration can be rerun. The exit status is 1 if an object was refused.

Examples:
  capstan migrate tinkerbell -f hardware.json -f templates.json -f workflows.json --dry-run
  capstan migrate tinkerbell -f hardware.json -f templates.json -f workflows.json -n tink`,
      )
      .action(async ({ dryRun, filename, output, ...flags }: MigrateFlags) => {
        const request = { ...managementRequest(flags), files: filename, dryRun: dryRun === true, output };
        done(await (await import("./run-migrate.ts")).runMigrate(request, write));
      }),
  );
