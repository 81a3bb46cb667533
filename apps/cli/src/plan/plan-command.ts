import { Command, Option } from "commander";
import { append, checkPrune, logLevelOption } from "../flag-values.ts";
import { objectStoresOption, providersOption, simulateOption } from "../modules/module-options.ts";
import type { LogLevel } from "../terminal.ts";
import { defaultDataFolder } from "../up/data-folder.ts";

/** What `capstan plan` was asked to do. */
export interface PlanOptions {
  readonly files: readonly string[];
  /** `undefined`: those that `capstan up` ran with last. */
  readonly simulate: readonly string[] | undefined;
  readonly providers: readonly string[] | undefined;
  readonly dataDir: string;
  /** The management API of a cluster, in place of that of a data folder. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly namespace: string;
  readonly prune?: boolean;
  readonly output: "text" | "json";
  readonly logLevel: LogLevel;
}

interface PlanFlags extends Omit<PlanOptions, "files"> {
  readonly filename?: readonly string[];
}

/** `capstan plan`; its flags are those of `capstan up`. */
export const planCommand = (run: (options: PlanOptions) => Promise<number>, done: (status: number) => void): Command =>
  new Command("plan")
    .description("Show what capstan up would create, change, replace and delete, here and at the cloud.")
    .option("-f, --filename <file>", "manifest file, folder, URL, or - for standard input; may be repeated", append)
    .addOption(simulateOption())
    .option("--data-dir <folder>", "the folder of the capstan up that is meant", defaultDataFolder(process.env))
    .option("--kubeconfig <file>", "the management API of a cluster instead")
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .addOption(providersOption())
    .addOption(objectStoresOption().hideHelp())
    .option("-n, --namespace <name>", "namespace of objects that name none", "default")
    .option("--prune", "plan as capstan up --prune: what is no longer in any file is deleted")
    .addOption(
      new Option("-o, --output <format>", "json prints the whole plan as one object")
        .choices(["text", "json"])
        .default("text"),
    )
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
Nothing is written, neither to the management API nor to the cloud. Exit status: 0 nothing to do, 2 something to do,
1 something is wrong.

Examples:
  capstan plan --simulate linode -f examples/linode/large-bootstrap.yaml
  capstan plan -f cluster.yaml -o json
  capstan plan --data-dir ./state`,
    )
    .action(async (given: PlanFlags, command: Command) => {
      checkPrune(given, command);
      const { filename = [], simulate, providers, kubeconfig, context, ...flags } = given;
      done(await run({ ...flags, files: filename, simulate, providers, kubeconfig, context }));
    });
