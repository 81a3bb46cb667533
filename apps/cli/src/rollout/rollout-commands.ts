import { Argument, Command, Option } from "commander";
import { count, duration, folder, outputOption } from "../flag-values.ts";
import type { RolloutRequest } from "./rollout-options.ts";
import { rolloutTarget } from "./rollout-target.ts";

type Run = (request: RolloutRequest) => Promise<number>;

type Flags = Partial<Record<"kubeconfig" | "context" | "dataDir", string>> & {
  readonly namespace?: string;
  readonly output: "text" | "json";
  readonly toRevision?: number;
  readonly watch: boolean;
  readonly timeout: number;
};

type Target = Pick<RolloutRequest, "name" | "namespace" | "kubeconfig" | "context" | "dataDir">;

const targetOf = (name: string, { namespace, kubeconfig, context, dataDir }: Flags): Target => ({
  name,
  namespace,
  kubeconfig,
  context,
  dataDir,
});

/** A command about one deployment. */
const about = (name: string, description: string, example: string): Command =>
  new Command(name)
    .description(description)
    .addArgument(new Argument("<machinedeployment/NAME>", "deployment").argParser(rolloutTarget))
    .option("-n, --namespace <name>", "namespace of the deployment (default: that of the context)")
    .option("--kubeconfig <file>", "kubeconfig of the management API")
    .option("--context <name>", "context of the kubeconfig; default: its current one")
    .option("--data-dir <folder>", "take the kubeconfig that capstan up left in this folder", folder)
    .addHelpText(
      "after",
      `
Without --kubeconfig and --data-dir: $KUBECONFIG, else the default data folder, else ~/.kube/config.

Example:
  ${example}`,
    );

/** `capstan rollout` with its commands. */
export const rolloutCommand = (run: Run, done: (status: number) => void): Command => {
  const simple = (action: "restart" | "pause" | "resume", description: string): Command =>
    about(action, description, `capstan rollout ${action} machinedeployment/workers`).action(
      async (name: string, flags: Flags) => done(await run({ ...targetOf(name, flags), action })),
    );
  const undo = about(
    "undo",
    "Return to an earlier revision: version, bootstrap and infrastructure templates, failure domain.",
    "capstan rollout undo machinedeployment/workers --to-revision 3",
  )
    .addOption(new Option("--to-revision <number>", "revision; default: the one before the present").argParser(count))
    .action(async (name: string, flags: Flags) =>
      done(await run({ ...targetOf(name, flags), action: "undo", toRevision: flags.toRevision })),
    );
  const history = about("history", "List the revisions.", "capstan rollout history machinedeployment/workers")
    .addOption(outputOption())
    .action(async (name: string, flags: Flags) =>
      done(await run({ ...targetOf(name, flags), action: "history", output: flags.output })),
    );
  const status = about(
    "status",
    "Show a rollout until it is over.",
    "capstan rollout status machinedeployment/workers --timeout 20m",
  )
    .addOption(outputOption())
    .option("--no-watch", "say how it stands and end: exit 1 while it is under way")
    .addOption(
      new Option("--timeout <duration>", "give up, with exit 1, after this time; 0s: never")
        .argParser(duration)
        .default(0, "0s"),
    )
    .action(async (name: string, flags: Flags) =>
      done(
        await run({
          ...targetOf(name, flags),
          action: "status",
          output: flags.output,
          watch: flags.watch,
          timeoutMs: flags.timeout,
        }),
      ),
    );
  const command = new Command("rollout").description("Restart, pause, follow and undo rollouts of MachineDeployments.");
  const parts = [
    simple("restart", "Replace every Machine, although nothing has changed."),
    simple("pause", "Roll out no further change; scaling still works."),
    simple("resume", "Roll out again."),
    status,
    history,
    undo,
  ];
  for (const part of parts) command.addCommand(part);
  return command;
};
