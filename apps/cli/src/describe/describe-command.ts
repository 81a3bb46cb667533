import { Command, Option } from "commander";
import { list } from "../flag-values.ts";

/** What `capstan describe` was asked to do; without a namespace, that of the kubeconfig is meant. */
export interface DescribeRequest extends Omit<DescribeOptions, "namespace"> {
  readonly namespace: string | undefined;
}

/** The same in a known namespace. */
export interface DescribeOptions {
  readonly kind: "cluster" | "machine";
  readonly name: string;
  readonly namespace: string;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly dataDir: string | undefined;
  readonly watch: boolean;
  readonly output: "text" | "json";
  /** `all`, kinds, or `Kind/name`. */
  readonly showConditions: readonly string[];
  readonly grouping: boolean;
  readonly echo: boolean;
}

interface DescribeFlags extends Omit<
  DescribeOptions,
  "kind" | "name" | "namespace" | "watch" | "showConditions" | "echo"
> {
  readonly namespace?: string;
  readonly watch?: true;
  readonly showConditions?: readonly string[];
  readonly echo?: true;
}

/** `capstan describe`; flags have clusterctl's names where they mean the same. */
export const describeCommand = (
  run: (request: DescribeRequest) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("describe")
    .description("Show a Cluster or a Machine as a tree: what is ready, what is not, why and since when.")
    .addArgument(new Command().createArgument("<kind>", "what to describe").choices(["cluster", "machine"]))
    .argument("<name>", "its name")
    .option("-n, --namespace <name>", "its namespace (default: that of the context)")
    .option("--kubeconfig <file>", "kubeconfig of the management API")
    .option("--data-dir <folder>", "take the kubeconfig that capstan up left in this folder")
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .option("--show-conditions <what>", "conditions of these, separated by commas: all, Kind or Kind/name", list)
    .option("--no-grouping", "show every ready Machine on a line of its own")
    .option("--echo", "show bootstrap and infrastructure of ready Machines too")
    .option("-w, --watch", "stay, and show every change")
    .addOption(
      new Option("-o, --output <format>", "json prints the whole tree as one object")
        .choices(["text", "json"])
        .default("text"),
    )
    .addHelpText(
      "after",
      `
Without --kubeconfig and --data-dir: $KUBECONFIG, else the default data folder, else ~/.kube/config.

Examples:
  capstan describe cluster orchid
  capstan describe cluster orchid --show-conditions Cluster,Machine --watch
  capstan describe machine orchid-control-plane-0 -o json`,
    )
    .action(async (kind: DescribeOptions["kind"], name: string, flags: DescribeFlags) =>
      done(
        await run({
          kind,
          name,
          namespace: flags.namespace,
          kubeconfig: flags.kubeconfig,
          context: flags.context,
          dataDir: flags.dataDir,
          watch: flags.watch === true,
          output: flags.output,
          showConditions: flags.showConditions ?? [],
          grouping: flags.grouping,
          echo: flags.echo === true,
        }),
      ),
    );
