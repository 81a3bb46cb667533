import { Command } from "commander";
import { type DocumentOutput, documentOutputOption } from "../document-output.ts";
import {
  checkPrune,
  type FileFlags,
  filenameOption,
  filesOf,
  kustomizeOption,
  logLevelOption,
  recursiveOption,
} from "../flag-values.ts";
import { objectStoresOption, providersOption, simulateOption } from "../modules/module-options.ts";
import { type OptionSettings, type SetOptionFlags, setOptionOption } from "../options/set-option-flag.ts";
import type { LogLevel } from "../terminal.ts";
import { defaultDataFolder } from "../up/data-folder.ts";

/** Options of `capstan plan`. */
export interface PlanOptions {
  readonly files: readonly string[];
  readonly recursive?: boolean | undefined;
  /** `undefined`: those that `capstan up` ran with last. */
  readonly simulate: readonly string[] | undefined;
  readonly providers: readonly string[] | undefined;
  /** `undefined`: those that `capstan up` ran with last. */
  readonly setOptions?: OptionSettings | undefined;
  readonly dataDir: string;
  /** The management API of a cluster, in place of that of a data folder. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly namespace: string;
  readonly prune?: boolean;
  readonly output: DocumentOutput;
  readonly logLevel: LogLevel;
}

interface PlanFlags extends Omit<PlanOptions, "files" | "setOptions">, SetOptionFlags, FileFlags {}

/** `capstan plan`; its flags are those of `capstan up`. */
export const planCommand = (run: (options: PlanOptions) => Promise<number>, done: (status: number) => void): Command =>
  new Command("plan")
    .description("Show what capstan up would create, change, replace and delete, here and at the cloud.")
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .addOption(recursiveOption())
    .addOption(simulateOption())
    .option("--data-dir <folder>", "data folder of the capstan up", defaultDataFolder(process.env))
    .option("--kubeconfig <file>", "kubeconfig of a management cluster to use instead")
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .addOption(providersOption())
    .addOption(objectStoresOption().hideHelp())
    .addOption(setOptionOption())
    .option("-n, --namespace <name>", "namespace of objects without one", "default")
    .option("--prune", "plan like capstan up --prune: objects no longer in any file are deleted")
    .addOption(documentOutputOption("the whole plan"))
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
Nothing is written to the management API or the cloud. Exit status: 0 nothing to do, 2 changes, 1 errors.

Examples:
  capstan plan --simulate linode -f examples/linode/large-bootstrap.yaml
  capstan plan -f cluster.yaml -o json
  capstan plan --data-dir ./state`,
    )
    .action(async (given: PlanFlags, command: Command) => {
      checkPrune(given, command);
      const { filename, kustomize, setOption: setOptions, simulate, providers, kubeconfig, context, ...flags } = given;
      done(
        await run({
          ...flags,
          files: filesOf({ filename, kustomize }),
          setOptions,
          simulate,
          providers,
          kubeconfig,
          context,
        }),
      );
    });
