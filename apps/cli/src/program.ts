import { plainLines } from "@capstan/kube-values";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import manifest from "../package.json" with { type: "json" };
import { apiserverCommand } from "./apiserver/apiserver-command.ts";
import { bundleCommand } from "./component-bundle/bundle-command.ts";
import type { OwnFlags, Translation } from "./upstream/translate-flags.ts";
import type { ApiserverOptions } from "./apiserver/apiserver-options.ts";
import {
  backupCommand,
  restoreCommand,
  type BackupOptions,
  type RestoreCommandOptions,
} from "./backup/backup-commands.ts";
import { completeCommand, completionScript, shells } from "./completion/completion-script.ts";
import type { RolloutRequest } from "./rollout/rollout-options.ts";
import { rolloutCommand } from "./rollout/rollout-commands.ts";
import { allowAddressOption, type AddressFlags } from "./cluster/address-flags.ts";
import { credentialsFolderOption } from "./cluster/default-credentials-flags.ts";
import { type ReferenceRule, referencesOption } from "./cluster/reference-flags.ts";
import {
  bootstrapTimeoutOption,
  checkPrune,
  duration,
  type FileFlags,
  filenameOption,
  filesOf,
  folder,
  kustomizeOption,
  recursiveOption,
  logLevelOption,
  outputOption,
  port,
} from "./flag-values.ts";
import { defaultDataFolder } from "./up/data-folder.ts";
import { describeCommand, type DescribeRequest } from "./describe/describe-command.ts";
import { type DocumentOutput, documentOutputOption, documentText } from "./document-output.ts";
import { etcdCommand, type EtcdRequest } from "./etcd/etcd-command.ts";
import { downCommand, type DownOptions } from "./down/down-command.ts";
import { generateCommand, type GenerateOptions } from "./generate/generate-command.ts";
import { getCommand, type GetKubeconfigRequest } from "./get/get-command.ts";
import { installCommand, type InstallCommandOptions } from "./install/install-command.ts";
import { logsCommand, type LogsRequest } from "./logs/logs-command.ts";
import { managerCommand } from "./manager/manager-command.ts";
import type { ManagerOptions } from "./cluster/manager-options.ts";
import { withNearChoices } from "./near-choices.ts";
import { migrateCommand } from "./migrate/migrate-command.ts";
import { newCommand } from "./new/new-command.ts";
import type { NewProviderOptions } from "./new/new-provider.ts";
import { objectStoreAddressOption, objectStoreListenOption } from "./up/store-server-flags.ts";
import { objectStoresOption, providersOption, simulateOption } from "./modules/module-options.ts";
import { applyConfigFile, configOption } from "./config-file.ts";
import { optionsCommand } from "./modules/options-command.ts";
import { withOptionNames } from "./modules/option-help.ts";
import { type SetOptionFlags, setOptionOption } from "./options/set-option-flag.ts";
import { objectStoreNames } from "./modules/object-stores.ts";
import { providerNames } from "./modules/providers.ts";
import { planCommand, type PlanOptions } from "./plan/plan-command.ts";
import { rotateCommand, type RotateOptions } from "./rotate/rotate-command.ts";
import { simulateCommand, type SimulateOptions } from "./simulate/simulate-command.ts";
import { uninstallCommand, type UninstallOptions } from "./uninstall/uninstall-command.ts";
import type { StoreServerOptions, UpOptions } from "./up/up-options.ts";

interface UpFlags extends AddressFlags, SetOptionFlags, FileFlags {
  readonly watch?: boolean;
  readonly force?: true;
  readonly forceConflicts?: true;
  readonly prune?: true;
  readonly keepGoing?: true;
  readonly simulate?: readonly string[];
  readonly seed?: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly inMemory?: true;
  readonly port: number;
  readonly providers?: readonly string[];
  readonly objectStores?: readonly string[];
  readonly objectStoreAddress?: string;
  readonly objectStoreListen?: StoreServerOptions["listen"];
  readonly objectStoreTlsCertFile?: string;
  readonly objectStoreTlsPrivateKeyFile?: string;
  readonly credentialsFolder?: string;
  readonly crossNamespaceReferences?: ReferenceRule;
  readonly bootstrapTimeout?: number;
  readonly until?: "running";
  readonly timeout: number;
  readonly output: "text" | "json";
  readonly logLevel: UpOptions["logLevel"];
  readonly namespace: string;
  readonly config?: string;
}

/** `linode=seed.yaml`, by cloud. */
const seed = (value: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const [, cloud, file] = /^([a-z0-9-]+)=(.+)$/.exec(value) ?? [];
  if (cloud !== undefined && file !== undefined) return { ...before, [cloud]: file };
  throw new InvalidArgumentError("must be CLOUD=FILE such as linode=account.yaml.");
};

const upOptions = (flags: UpFlags): UpOptions => ({
  files: filesOf(flags),
  recursive: flags.recursive,
  watch: flags.watch ?? process.stdout.isTTY,
  force: flags.force === true,
  forceConflicts: flags.forceConflicts === true,
  prune: flags.prune === true,
  keepGoing: flags.keepGoing === true,
  simulate: [...new Set(flags.simulate)],
  seeds: flags.seed ?? {},
  dataDir: flags.dataDir,
  inMemory: flags.inMemory === true,
  port: flags.port,
  providers: [...new Set(flags.providers ?? providerNames)],
  objectStores: [...new Set(flags.objectStores ?? objectStoreNames)],
  setOptions: flags.setOption ?? [],
  objectStoreServer: {
    address: flags.objectStoreAddress,
    listen: flags.objectStoreListen,
    tlsCertFile: flags.objectStoreTlsCertFile,
    tlsPrivateKeyFile: flags.objectStoreTlsPrivateKeyFile,
  },
  credentialsFolder: flags.credentialsFolder,
  references: flags.crossNamespaceReferences,
  allowedAddresses: flags.allowAddress ?? [],
  bootstrapTimeoutMs: flags.bootstrapTimeout,
  until: flags.until,
  timeoutMs: flags.timeout,
  output: flags.output,
  logLevel: flags.logLevel,
  namespace: flags.namespace,
});

const forceOption = (): Option =>
  new Option(
    "--force",
    "create workers whose version does not go with that of the control plane, by the annotation that skips the check",
  ).conflicts("keepGoing");

const untilOption = (): Option =>
  new Option("--until <state>", "exit once this is reached, with 0, or with 1 and the reasons").choices(["running"]);

const upCommand = (run: (options: UpOptions) => Promise<number>, done: (status: number) => void): Command =>
  new Command("up")
    .description("Run the management API and the providers here, apply manifests and show their progress.")
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .addOption(recursiveOption())
    .option("--watch", "reapply files when they change (default in a terminal)")
    .option("--no-watch", "apply files once")
    .addOption(forceOption())
    .option("--force-conflicts", "also apply unchanged files, and take over fields set by others")
    .option("--prune", "delete objects applied earlier that are no longer in any file")
    .option("--keep-going", "apply valid objects even if some files have errors, and exit with 1")
    .addOption(simulateOption())
    .option("--seed <cloud=file>", "YAML file with the initial state of a simulated cloud; may be repeated", seed)
    .option("--data-dir <folder>", "folder of the state", folder, defaultDataFolder(process.env))
    .option("--in-memory", "keep state in memory only")
    .option("--port <port>", "port of the management API; 0: the previous one or a free one", port, 0)
    .addOption(providersOption())
    .addOption(objectStoresOption())
    .addOption(setOptionOption())
    .addOption(objectStoreAddressOption())
    .addOption(objectStoreListenOption())
    .option("--object-store-tls-cert-file <file>", "PEM certificate chain of the local object store")
    .option("--object-store-tls-private-key-file <file>", "PEM key of that certificate")
    .addOption(credentialsFolderOption())
    .addOption(referencesOption())
    .addOption(allowAddressOption("loopback"))
    .addOption(bootstrapTimeoutOption())
    .addOption(untilOption())
    .addOption(
      new Option("--timeout <duration>", "time limit of --until").argParser(duration).default(10 * 60_000, "10m"),
    )
    .addOption(configOption())
    .addOption(outputOption())
    .option("-n, --namespace <name>", "namespace of objects without one", "default")
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
Variables in manifests such as \${LINODE_TOKEN} come from the environment or, with --simulate, from the simulator.
Packages are resolved from this folder, then from the command; modules export createProvider or createSimulation.
Also accepts the flags of upstream's managers: docs/upstream-flags.md.

Examples:
  capstan up --simulate linode -f examples/linode/large-bootstrap.yaml
  capstan up -f cluster.yaml --until running --timeout 20m
  capstan up --providers core,bootstrap-kubeadm,./my-provider.ts --simulate ./my-cloud.ts -f cluster.yaml`,
    )
    .action(async ({ config }: UpFlags, command: Command) => {
      if (config !== undefined) await applyConfigFile(command, config);
      const flags = command.opts<UpFlags>();
      checkPrune(flags, command);
      done(await run(upOptions(flags)));
    });

const completionCommand = (write: (text: string) => void): Command =>
  new Command("completion")
    .description("Print the completion script of a shell.")
    .addArgument(new Command().createArgument("<shell>", "shell to complete for").choices([...shells]))
    .addHelpText(
      "after",
      `
Object names come from the management API, with a timeout of 3 s; set CAPSTAN_COMPLETION_TIMEOUT=10s to wait longer.

Example:
  source <(capstan completion bash)`,
    )
    .action((shell: (typeof shells)[number]) => write(completionScript(shell)));

/** Hidden command that the completion scripts call. */
const suggestionsCommand = (root: Command, write: (text: string) => void): Command =>
  new Command(completeCommand).argument("[words...]").action(async (words: readonly string[]) => {
    const [{ suggest }, { apiNames }] = await Promise.all([
      import("./completion/suggest.ts"),
      import("./completion/api-names.ts"),
    ]);
    for (const { word, meaning, files } of await suggest(root, words, apiNames)) {
      write(files === true ? `:files${word}\n` : `${word}${meaning === undefined ? "" : `\t${meaning}`}\n`);
    }
  });

const versionCommand = (write: (text: string) => void): Command =>
  new Command("version")
    .description("Print the versions of the command and of Node.")
    .addOption(documentOutputOption("the versions"))
    .action(async ({ output }: { readonly output: DocumentOutput }) => {
      const versions = { capstan: manifest.version, node: process.versions.node };
      if (output === "text") write(`capstan ${versions.capstan}, Node ${versions.node}\n`);
      else write(output === "json" ? `${JSON.stringify(versions)}\n` : await documentText(versions, output));
    });

/** Implementations of the commands. Default: the real ones. */
interface Parts {
  readonly up?: (options: UpOptions) => Promise<number>;
  readonly apiserver?: (options: ApiserverOptions) => Promise<number>;
  readonly backup?: (options: BackupOptions) => Promise<number>;
  readonly restore?: (options: RestoreCommandOptions) => Promise<number>;
  readonly simulate?: (options: SimulateOptions) => Promise<number>;
  readonly manager?: (options: ManagerOptions) => Promise<number>;
  readonly describe?: (request: DescribeRequest) => Promise<number>;
  readonly install?: (options: InstallCommandOptions) => Promise<number>;
  readonly rotate?: (options: RotateOptions) => Promise<number>;
  readonly uninstall?: (options: UninstallOptions) => Promise<number>;
  readonly plan?: (options: PlanOptions) => Promise<number>;
  readonly down?: (options: DownOptions) => Promise<number>;
  readonly getKubeconfig?: (request: GetKubeconfigRequest) => Promise<number>;
  readonly logs?: (request: LogsRequest) => Promise<number>;
  readonly etcd?: (request: EtcdRequest) => Promise<number>;
  readonly generate?: (options: GenerateOptions) => Promise<number>;
  readonly rollout?: (request: RolloutRequest) => Promise<number>;
  readonly newProvider?: (options: NewProviderOptions) => Promise<number>;
  /** Default: standard output. */
  readonly write?: (text: string) => void;
  /** Default: standard error. */
  readonly writeError?: (text: string) => void;
}

/** Each command's own part of the program is loaded when that command is given. */
const loaded = {
  up: async (options: UpOptions) =>
    (await import("./up/run-up.ts")).runUp(options, async (...given) =>
      (await import("./plan/preflight.ts")).preflight(...given),
    ),
  down: async (options: DownOptions) => (await import("./down/run-down.ts")).runDown(options),
  simulate: async (options: SimulateOptions) => (await import("./simulate/run-simulate.ts")).runSimulate(options),
  apiserver: async (options: ApiserverOptions) => (await import("./apiserver/run-apiserver.ts")).runApiserver(options),
  backup: async (options: BackupOptions) => (await import("./backup/run-backup.ts")).runBackup(options),
  restore: async (options: RestoreCommandOptions) => (await import("./backup/run-backup.ts")).runRestore(options),
  manager: async (options: ManagerOptions) => (await import("./manager/run-manager.ts")).runManager(options),
  describe: async (options: DescribeRequest) => (await import("./describe/run-describe.ts")).runDescribe(options),
  rotate: async (options: RotateOptions) => (await import("./rotate/run-rotate.ts")).runRotate(options),
  uninstall: async (options: UninstallOptions) => (await import("./uninstall/run-uninstall.ts")).runUninstall(options),
  rollout: async (options: RolloutRequest) => (await import("./rollout/run-rollout.ts")).runRollout(options),
};

/** The same of those that write texts. */
const writing = (write: (text: string) => void, say: (text: string) => void) => ({
  install: async (options: InstallCommandOptions): Promise<number> =>
    (await import("./install/run-install.ts")).runInstall(options, write),
  plan: async (options: PlanOptions): Promise<number> => (await import("./plan/run-plan.ts")).runPlan(options, write),
  generate: async (options: GenerateOptions): Promise<number> =>
    (await import("./generate/run-generate.ts")).runGenerate(options, { write, say }),
  getKubeconfig: async (request: GetKubeconfigRequest): Promise<number> =>
    (await import("./get/run-get.ts")).runGetKubeconfig(request, write),
  etcd: async (request: EtcdRequest): Promise<number> => (await import("./etcd/run-etcd.ts")).runEtcd(request, write),
  logs: async (request: LogsRequest): Promise<number> => (await import("./logs/run-logs.ts")).runLogs(request, write),
  newProvider: async (options: NewProviderOptions): Promise<number> => {
    (await import("./new/new-provider.ts")).newProvider(options, { cwd: process.cwd(), write });
    return 0;
  },
});

/** A command line whose flags may be those of upstream's managers. */
const translated = async (words: readonly string[], command?: OwnFlags): Promise<Translation> =>
  (await import("./upstream/translate-flags.ts")).translateFlags(words, providerNames, command);

/** Commands that take what of upstream's flags means something for them. */
const takesUpstreamFlags = new Set(["up", "install"]);

/** The flags of a command. */
export const flagsOf = (command: Command): OwnFlags => ({
  name: command.name(),
  flags: new Set(command.options.flatMap(({ long, short }) => [long ?? [], short ?? []].flat())),
});

/** Translates the command line of a command that takes flags of upstream's managers; every other one stays as it is. */
const translate = async (
  words: readonly string[],
  commands: readonly Command[],
  say: (text: string) => void,
): Promise<Translation> => {
  // A manager says its notes in its own way.
  if (words[0] === "manager") return translated(words);
  const command = commands.find((each) => each.name() === words[0] && takesUpstreamFlags.has(each.name()));
  if (command === undefined) return { words, notes: [] };
  const translation = await translated(words, flagsOf(command));
  for (const note of translation.notes) say(`capstan: ${note}\n`);
  return translation;
};

/** The command line as the program knows it. */
const wordsOf = ([first = "--help", ...rest]: readonly string[]): readonly string[] => {
  // The letter of other programs, beside ours.
  if (first === "-V") return ["--version", ...rest];
  return first === "help" && rest[0] === "options" ? rest : [first, ...rest];
};

const helpHint = (command: string): string => `(see ${command} --help)`;

const addCommands = (root: Command, commands: readonly Command[]): void => {
  for (const command of commands) {
    const name = `capstan ${command.name()}`;
    root.addCommand(command.copyInheritedSettings(root).showHelpAfterError(helpHint(name)));
    for (const part of command.commands) {
      part.copyInheritedSettings(root).showHelpAfterError(helpHint(`${name} ${part.name()}`));
    }
  }
};

/** The command line: `run` resolves to the exit status. */
export const createProgram = (parts: Parts = {}) => {
  const write = parts.write ?? ((text: string) => void process.stdout.write(text));
  const writeError = parts.writeError ?? ((text: string) => void process.stderr.write(plainLines(text)));
  let status = 0;
  let notes: readonly string[] = [];
  const done = (result: number): number => (status = result);
  const root = new Command("capstan")
    .description("Turns declared Machines into running Kubernetes nodes, on any infrastructure.")
    .version(manifest.version, "-v, --version", "print the version")
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: writeError })
    .showHelpAfterError(helpHint("capstan"));
  const run = { ...loaded, ...writing(write, writeError), ...parts };
  const commands = [
    upCommand(run.up, done),
    planCommand(run.plan, done),
    downCommand(run.down, done),
    simulateCommand(run.simulate, done),
    apiserverCommand(run.apiserver, done),
    backupCommand(run.backup, done),
    restoreCommand(run.restore, done),
    generateCommand(run.generate, done),
    getCommand(run.getKubeconfig, done),
    logsCommand(run.logs, done),
    etcdCommand(run.etcd, done),
    migrateCommand(write, done),
    bundleCommand(write, done),
    managerCommand(run.manager, done, () => notes),
    installCommand(run.install, done),
    rotateCommand(run.rotate, done),
    uninstallCommand(run.uninstall, done),
    rolloutCommand(run.rollout, done),
    describeCommand(run.describe, done),
    newCommand(run.newProvider, done),
    optionsCommand(write, done),
    completionCommand(write),
    versionCommand(write),
  ];
  addCommands(root, commands);
  withNearChoices(root);
  root.addCommand(suggestionsCommand(root, write), { hidden: true });
  const prepareHelp = withOptionNames(commands);
  return {
    root,
    run: async (args: readonly string[]): Promise<number> => {
      try {
        const words = wordsOf(args);
        await prepareHelp(words);
        const translation = await translate(words, commands, writeError);
        ({ notes } = translation);
        await root.parseAsync(translation.words, { from: "user" });
        return status;
      } catch (error) {
        if (error instanceof CommanderError) return error.exitCode;
        throw error;
      }
    },
  };
};
