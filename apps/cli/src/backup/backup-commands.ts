import { Command, Option } from "commander";
import { folder, logLevelOption } from "../flag-values.ts";
import type { LogLevel } from "../terminal.ts";
import { defaultDataFolder } from "../up/data-folder.ts";

/** What `capstan backup` was asked to do. */
export interface BackupOptions {
  readonly output: string;
  readonly dataDir: string;
  /** Instead of the data folder. */
  readonly kubeconfig: string | undefined;
  readonly logLevel: LogLevel;
}

/** What `capstan restore` was asked to do. */
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
    .description("Write everything a management API holds to a file, as it is at one moment.")
    .requiredOption("-o, --output <file>", "file to write, readable by its owner alone, or - for standard output")
    .addOption(dataDirOption())
    .option("--kubeconfig <file>", "back up this server instead of a data folder")
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
The server may run. The file holds Secrets in plain text, and with --data-dir the server's own keys.

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
    .description("Make a management API what it was when a backup was taken; Machines that ran are not made again.")
    .requiredOption("-f, --filename <file>", "file that capstan backup wrote, or - for standard input")
    .addOption(dataDirOption())
    .option("--kubeconfig <file>", "restore at this running server instead of into a data folder")
    .option("--merge", "with --kubeconfig: keep what is there already and add what is missing")
    .option("--force", "with --data-dir: put the state that is there aside")
    .option("--new-uids", "with --kubeconfig: give every object a new uid, as any other server does")
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
Stop whatever managed the same machines before. A restore that was interrupted can be run again, with --kubeconfig
by adding --merge.

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
