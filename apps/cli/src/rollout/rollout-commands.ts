import { Argument, Command, Option } from "commander";
import { count, duration, folder, outputOption } from "../flag-values.ts";
import type { DocumentOutput } from "../document-output.ts";
import type { RolloutRequest } from "./rollout-options.ts";
import { rolloutKinds, rolloutTarget, type RolloutKind, type RolloutObject } from "./rollout-target.ts";

type Run = (request: RolloutRequest) => Promise<number>;

type Flags = Partial<Record<"kubeconfig" | "context" | "dataDir", string>> & {
  readonly namespace?: string;
  readonly output: DocumentOutput;
  readonly toRevision?: number;
  readonly watch: boolean;
  readonly timeout: number;
};

type Target = Pick<RolloutRequest, "kind" | "name" | "namespace" | "kubeconfig" | "context" | "dataDir">;

const targetOf = (object: RolloutObject, { namespace, kubeconfig, context, dataDir }: Flags): Target => ({
  ...object,
  namespace,
  kubeconfig,
  context,
  dataDir,
});

/** Kinds of which earlier revisions are kept. */
const withRevisions: readonly RolloutKind[] = ["machinedeployment"];

/** Parses the object that a command line names. */
const objectOf = (kinds: readonly RolloutKind[], value: string, word: string | undefined, command: Command) => {
  const target = rolloutTarget(kinds, value, word);
  return typeof target === "string" ? command.error(`error: ${target}`) : target;
};

/** A command about one object of these kinds. */
const about = (name: string, kinds: readonly RolloutKind[], description: string, example: string): Command =>
  new Command(name)
    .description(description)
    .addArgument(
      new Argument(
        `<${kinds.map((kind) => `${kind}/NAME`).join("|")}>`,
        "KIND/NAME of the object, or KIND followed by NAME",
      ),
    )
    .addArgument(new Argument("[name]", "its name, if given separately"))
    .option("-n, --namespace <name>", "namespace of the object (default: that of the context)")
    .option("--kubeconfig <file>", "kubeconfig of the management API")
    .option("--context <name>", "context of the kubeconfig; default: its current one")
    .option("--data-dir <folder>", "use the kubeconfig that capstan up wrote to this folder", folder)
    .addHelpText(
      "after",
      `
Without --kubeconfig and --data-dir: $KUBECONFIG, else the default data folder, else ~/.kube/config.

Example:
  ${example}`,
    );

const statusCommand = (run: Run, done: (status: number) => void): Command =>
  about(
    "status",
    rolloutKinds,
    "Follow a rollout until it completes.",
    "capstan rollout status machinedeployment/workers --timeout 20m",
  )
    .addOption(outputOption())
    .option("--no-watch", "print the status and exit; 1 while it is in progress")
    .addOption(
      new Option("--timeout <duration>", "give up with exit status 1 after this time; 0s: never")
        .argParser(duration)
        .default(0, "0s"),
    )
    .action(async (value: string, word: string | undefined, flags: Flags, command: Command) =>
      done(
        await run({
          ...targetOf(objectOf(rolloutKinds, value, word, command), flags),
          action: "status",
          output: flags.output === "json" ? "json" : "text",
          watch: flags.watch,
          timeoutMs: flags.timeout,
        }),
      ),
    );

/** `capstan rollout` with its commands. */
export const rolloutCommand = (run: Run, done: (status: number) => void): Command => {
  const simple = (action: "restart" | "pause" | "resume", description: string): Command =>
    about(action, rolloutKinds, description, `capstan rollout ${action} machinedeployment/workers`).action(
      async (value: string, word: string | undefined, flags: Flags, command: Command) =>
        done(await run({ ...targetOf(objectOf(rolloutKinds, value, word, command), flags), action })),
    );
  const undo = about(
    "undo",
    withRevisions,
    "Return to an earlier revision: version, bootstrap and infrastructure templates, failure domain.",
    "capstan rollout undo machinedeployment/workers --to-revision 3",
  )
    .addOption(new Option("--to-revision <number>", "revision; default: the previous one").argParser(count))
    .action(async (value: string, word: string | undefined, flags: Flags, command: Command) =>
      done(
        await run({
          ...targetOf(objectOf(withRevisions, value, word, command), flags),
          action: "undo",
          toRevision: flags.toRevision,
        }),
      ),
    );
  const history = about(
    "history",
    withRevisions,
    "List the revisions.",
    "capstan rollout history machinedeployment/workers",
  )
    .addOption(
      new Option("-o, --output <format>", "json prints one revision per line, yaml a list of them")
        .choices(["text", "json", "yaml"])
        .default("text"),
    )
    .action(async (value: string, word: string | undefined, flags: Flags, command: Command) =>
      done(
        await run({
          ...targetOf(objectOf(withRevisions, value, word, command), flags),
          action: "history",
          output: flags.output,
        }),
      ),
    );
  const command = new Command("rollout").description(
    "Restart, pause, follow and undo rollouts of MachineDeployments and control planes.",
  );
  const parts = [
    simple("restart", "Replace every Machine without a change."),
    simple("pause", "Pause the rollout; a MachineDeployment still scales, a control plane does not change."),
    simple("resume", "Resume a paused rollout."),
    statusCommand(run, done),
    history,
    undo,
  ];
  for (const part of parts) command.addCommand(part);
  return command;
};
