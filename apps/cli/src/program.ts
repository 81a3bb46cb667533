import { Command, CommanderError, Option } from "commander";
import manifest from "../package.json" with { type: "json" };
import { apiserverCommand } from "./apiserver/apiserver-command.ts";
import type { ApiserverOptions } from "./apiserver/apiserver-options.ts";
import { runApiserver } from "./apiserver/run-apiserver.ts";
import {
  backupCommand,
  restoreCommand,
  type BackupOptions,
  type RestoreCommandOptions,
} from "./backup/backup-commands.ts";
import { runBackup, runRestore } from "./backup/run-backup.ts";
import { completionScript, shells } from "./completion.ts";
import type { RolloutOptions } from "./rollout/rollout-options.ts";
import { rolloutCommand } from "./rollout/rollout-commands.ts";
import { runRollout } from "./rollout/run-rollout.ts";
import { append, duration, list, logLevelOption, outputOption, port } from "./flag-values.ts";
import { defaultDataFolder } from "./up/data-folder.ts";
import { describeCommand, type DescribeOptions } from "./describe/describe-command.ts";
import { runDescribe } from "./describe/run-describe.ts";
import { installCommand, type InstallCommandOptions } from "./install/install-command.ts";
import { runInstall } from "./install/run-install.ts";
import { managerCommand } from "./manager/manager-command.ts";
import type { ManagerOptions } from "./manager/manager-options.ts";
import { runManager } from "./manager/run-manager.ts";
import { providerNames } from "./providers/known-providers.ts";
import { runUp } from "./up/run-up.ts";
import { simulatorNames } from "./up/simulate.ts";
import type { UpOptions } from "./up/up-options.ts";

interface UpFlags {
  readonly filename?: readonly string[];
  readonly simulate?: readonly string[];
  readonly dataDir: string;
  readonly inMemory?: true;
  readonly port: number;
  readonly providers?: readonly string[];
  readonly until?: "running";
  readonly timeout: number;
  readonly output: "text" | "json";
  readonly logLevel: UpOptions["logLevel"];
  readonly namespace: string;
}

const upOptions = (flags: UpFlags): UpOptions => ({
  files: flags.filename ?? [],
  simulate: flags.simulate ?? [],
  dataDir: flags.dataDir,
  inMemory: flags.inMemory === true,
  port: flags.port,
  providers: flags.providers ?? providerNames,
  until: flags.until,
  timeoutMs: flags.timeout,
  output: flags.output,
  logLevel: flags.logLevel,
  namespace: flags.namespace,
});

const upCommand = (run: (options: UpOptions) => Promise<number>, done: (status: number) => void): Command =>
  new Command("up")
    .description("Run the management API and the providers here, apply manifests and show what becomes of them.")
    .option("-f, --filename <file>", "manifest file, folder, or - for standard input; may be repeated", append)
    .option("--simulate <names>", `clouds to simulate, separated by commas: ${simulatorNames.join(", ")}`, list)
    .option("--data-dir <folder>", "where state is kept", defaultDataFolder(process.env))
    .option("--in-memory", "keep nothing: state is gone when the command ends")
    .option("--port <port>", "port of the management API; 0 takes the last one or a free one", port, 0)
    .option("--providers <names>", `providers to run, separated by commas (default: ${providerNames.join(",")})`, list)
    .addOption(
      new Option("--until <state>", "end as soon as this is reached: exit 0, or 1 with the reasons").choices([
        "running",
      ]),
    )
    .addOption(
      new Option("--timeout <duration>", "how long --until waits").argParser(duration).default(10 * 60_000, "10m"),
    )
    .addOption(outputOption())
    .option("-n, --namespace <name>", "namespace of objects that name none", "default")
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
Variables such as \${LINODE_TOKEN} in manifests come from the environment, with --simulate from the simulator.

Examples:
  capstan up --simulate linode -f examples/linode/large-bootstrap.yaml
  capstan up -f cluster.yaml --until running --timeout 20m`,
    )
    .action(async (flags: UpFlags) => done(await run(upOptions(flags))));

const completionCommand = (root: Command, write: (text: string) => void): Command =>
  new Command("completion")
    .description("Print the completion script of a shell.")
    .addArgument(new Command().createArgument("<shell>", "shell to complete for").choices([...shells]))
    .addHelpText("after", "\nExample:\n  source <(capstan completion bash)")
    .action((shell: (typeof shells)[number]) => write(completionScript(root, shell)));

/** What the commands do. Default: what they say. */
interface Parts {
  readonly up?: (options: UpOptions) => Promise<number>;
  readonly apiserver?: (options: ApiserverOptions) => Promise<number>;
  readonly backup?: (options: BackupOptions) => Promise<number>;
  readonly restore?: (options: RestoreCommandOptions) => Promise<number>;
  readonly manager?: (options: ManagerOptions) => Promise<number>;
  readonly describe?: (options: DescribeOptions) => Promise<number>;
  readonly install?: (options: InstallCommandOptions) => Promise<number>;
  readonly rollout?: (options: RolloutOptions) => Promise<number>;
  /** Default: standard output. */
  readonly write?: (text: string) => void;
  /** Default: standard error. */
  readonly writeError?: (text: string) => void;
}

/** The command line: `run` resolves to the exit status. */
export const createProgram = (parts: Parts = {}) => {
  const write = parts.write ?? ((text: string) => void process.stdout.write(text));
  const writeError = parts.writeError ?? ((text: string) => void process.stderr.write(text));
  let status = 0;
  const done = (result: number): void => {
    status = result;
  };
  const root = new Command("capstan")
    .description("Turns declared Machines into running Kubernetes nodes, on any infrastructure.")
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: writeError })
    .showHelpAfterError("(capstan --help shows what there is)");
  const commands = [
    upCommand(parts.up ?? runUp, done),
    apiserverCommand(parts.apiserver ?? runApiserver, done),
    backupCommand(parts.backup ?? runBackup, done),
    restoreCommand(parts.restore ?? runRestore, done),
    managerCommand(parts.manager ?? runManager, done),
    installCommand(parts.install ?? ((options) => runInstall(options, write)), done),
    rolloutCommand(parts.rollout ?? runRollout, done),
    describeCommand(parts.describe ?? runDescribe, done),
    completionCommand(root, write),
  ];
  for (const command of commands) {
    root.addCommand(command.copyInheritedSettings(root));
    for (const part of command.commands) part.copyInheritedSettings(root);
  }
  return {
    run: async (args: readonly string[]): Promise<number> => {
      try {
        await root.parseAsync([...args], { from: "user" });
        return status;
      } catch (error) {
        if (error instanceof CommanderError) return error.exitCode;
        throw error;
      }
    },
  };
};
