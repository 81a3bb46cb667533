import { Command } from "commander";
import { type DocumentOutput, documentOutputOption } from "../document-output.ts";
import { folder, list } from "../flag-values.ts";

/** Options of `capstan describe`; the namespace defaults to that of the kubeconfig. */
export interface DescribeRequest extends Omit<DescribeOptions, "namespace"> {
  readonly namespace: string | undefined;
}

/** The same in a known namespace. */
export interface DescribeOptions {
  /** As kubectl takes it: `cluster`, `md`, `linodemachines`. */
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly dataDir: string | undefined;
  readonly watch: boolean;
  readonly output: DocumentOutput;
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

/** The kind and the name, given as two words or as one. */
const targetOf = (kind: string, name: string | undefined, command: Command): Pick<DescribeOptions, "kind" | "name"> => {
  const [first = "", second = "", ...rest] = kind.split("/");
  if (name !== undefined && second === "") return { kind: first, name };
  if (name === undefined && second !== "" && rest.length === 0) return { kind: first, name: second };
  return command.error("error: missing required argument 'name': name one object, as KIND NAME or KIND/NAME");
};

/** `capstan describe`; flags have clusterctl's names where they mean the same. */
export const describeCommand = (
  run: (request: DescribeRequest) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("describe")
    .description("Show an object and its dependents as a tree: what is ready, what is not, why and since when.")
    .argument("<kind>", "any kind, as in kubectl: cluster, machine, md, ms, kcp; or KIND/NAME")
    .argument("[name]", "its name")
    .option("-n, --namespace <name>", "namespace (default: that of the context)")
    .option("--kubeconfig <file>", "kubeconfig of the management API")
    .option("--data-dir <folder>", "use the kubeconfig that capstan up wrote to this folder", folder)
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .option("--show-conditions <what>", "show conditions of these, comma-separated: all, Kind or Kind/name", list)
    .option("--no-grouping", "do not group ready Machines")
    .option("--echo", "also show bootstrap and infrastructure of ready Machines")
    .option("-w, --watch", "keep watching for changes")
    .addOption(documentOutputOption("the whole tree"))
    .addHelpText(
      "after",
      `
Without --kubeconfig and --data-dir: $KUBECONFIG, else the default data folder, else ~/.kube/config.

Examples:
  capstan describe cluster orchid
  capstan describe cluster orchid --show-conditions Cluster,Machine --watch
  capstan describe machine orchid-control-plane-0 -o json
  capstan describe md/orchid-workers`,
    )
    .action(async (kind: string, name: string | undefined, flags: DescribeFlags, command: Command) =>
      done(
        await run({
          ...targetOf(kind, name, command),
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
