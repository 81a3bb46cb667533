import { Command, Option } from "commander";
import { folder, logLevelOption } from "../flag-values.ts";
import type { LogLevel } from "../terminal.ts";
import { defaultDataFolder } from "../up/data-folder.ts";

/** Options of `capstan backup`. */
export interface BackupOptions {
  readonly output: string;
  readonly dataDir: string;
  /** Instead of the data folder. */
  readonly kubeconfig: string | undefined;
  readonly logLevel: LogLevel;
}

/** Options of `capstan restore`. */
export interface RestoreCommandOptions {
  readonly file: string;
  readonly dataDir: string;
  /** Instead of the data folder. */
  readonly kubeconfig: string | undefined;
  readonly merge: boolean;
  readonly force: boolean;
  readonly newUids: boolean;
  readonly logLevel: LogLevel;
}

const dataDirOption = (): Option =>
  new Option("--data-dir <folder>", "where the management API keeps its state")
    .argParser(folder)
    .default(defaultDataFolder(process.env));

/** `capstan backup`. */
export const backupCommand = (
  run: (options: BackupOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("backup")
    .description("Back up the management API to a file, as a consistent snapshot.")
    .requiredOption("-o, --output <file>", "file to write, readable only by its owner, or - for standard output")
    .addOption(dataDirOption())
    .option("--kubeconfig <file>", "back up this server instead of a data folder")
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
The server may be running. The file contains Secrets in plain text and, with --data-dir, the server's own keys.

Examples:
  capstan backup -o capstan.backup
  capstan backup --kubeconfig admin.kubeconfig -o capstan.backup
  capstan backup -o - | age -p > capstan.backup.age`,
    )
    .action(async (flags: Partial<BackupOptions> & Pick<BackupOptions, "output" | "dataDir" | "logLevel">) =>
      done(await run({ ...flags, kubeconfig: flags.kubeconfig })),
    );

type RestoreFlags = Partial<RestoreCommandOptions> & {
  readonly filename: string;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
};

/** `capstan restore`. */
export const restoreCommand = (
  run: (options: RestoreCommandOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("restore")
    .description("Restore a management API from a backup; running Machines are kept, not recreated.")
    .requiredOption("-f, --filename <file>", "file that capstan backup wrote, or - for standard input")
    .addOption(dataDirOption())
    .option("--kubeconfig <file>", "restore to this running server instead of a data folder")
    .option("--merge", "with --kubeconfig: keep existing objects and add missing ones")
    .option("--force", "with --data-dir: move existing state aside")
    .option("--new-uids", "with --kubeconfig: assign new uids, as any other server does")
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
First stop everything else that manages the same machines. An interrupted restore can be rerun; with --kubeconfig,
add --merge.

Examples:
  capstan restore -f capstan.backup --data-dir ./recovered
  capstan restore -f capstan.backup --kubeconfig admin.kubeconfig`,
    )
    .action(async (flags: RestoreFlags) =>
      done(
        await run({
          file: flags.filename,
          dataDir: flags.dataDir,
          kubeconfig: flags.kubeconfig,
          merge: flags.merge === true,
          force: flags.force === true,
          newUids: flags.newUids === true,
          logLevel: flags.logLevel,
        }),
      ),
    );
