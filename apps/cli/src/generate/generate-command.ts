import { Command, InvalidArgumentError, Option } from "commander";
import { count } from "../flag-values.ts";

/** Where a template comes from and where the result goes. */
export interface TemplateOptions {
  /** File, URL or `-`. */
  readonly from: string | undefined;
  /** Values of variables; before those of the environment. */
  readonly set: Readonly<Record<string, string>>;
  /** Show the variables instead. */
  readonly listVariables: boolean;
  readonly writeTo: string | undefined;
}

/** Options of `capstan generate cluster`. */
export interface GenerateClusterOptions extends TemplateOptions {
  readonly name: string;
  /** The provider that brings the flavor: a name, package or path. */
  readonly infrastructure: string | undefined;
  readonly bootstrap: string;
  readonly flavor: string;
  readonly listFlavors: boolean;
  readonly kubernetesVersion: string | undefined;
  readonly controlPlanes: number | undefined;
  readonly workers: number | undefined;
  /** Namespace of every object. */
  readonly namespace: string | undefined;
}

/** Options of `capstan generate`: a template alone, or with the flavor of a cluster. */
export type GenerateOptions =
  | ({ readonly what: "cluster" } & GenerateClusterOptions)
  | ({ readonly what: "yaml" } & TemplateOptions);

interface TemplateFlags {
  readonly from?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly listVariables?: true;
  readonly writeTo?: string;
}

interface ClusterFlags extends TemplateFlags {
  readonly infrastructure?: string;
  readonly bootstrap: string;
  readonly flavor: string;
  readonly listFlavors?: true;
  readonly kubernetesVersion?: string;
  readonly controlPlaneMachineCount?: number;
  readonly workers?: number;
  readonly workerMachineCount?: number;
  readonly targetNamespace?: string;
}

const assignment = (value: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const [, name, text = ""] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(value) ?? [];
  if (name === undefined) throw new InvalidArgumentError("must be NAME=VALUE such as LINODE_REGION=us-sea.");
  return { ...before, [name]: text };
};

const version = (value: string): string => {
  if (/^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(value)) return `v${value.replace(/^v/, "")}`;
  throw new InvalidArgumentError("must be a full version such as v1.34.0.");
};

const clusterName = (value: string): string => {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(value)) return value;
  throw new InvalidArgumentError("must be up to 63 lowercase letters, digits and hyphens such as orchid.");
};

const templateOptions = ({ from, set = {}, listVariables, writeTo }: TemplateFlags): TemplateOptions => ({
  from,
  set,
  listVariables: listVariables === true,
  writeTo,
});

/** `others`: flags that say nothing of a template that is given. */
const withTemplateFlags = (command: Command, from: string, others: readonly string[] = []): Command =>
  command
    .addOption(new Option("--from <source>", from).conflicts([...others]))
    .option("--set <name=value>", "value of a variable, overriding the environment; may be repeated", assignment)
    .option("--list-variables", "list the template's variables and which are required")
    .option("--write-to <file>", "output file (default: standard output)");

type Run = (options: GenerateOptions) => Promise<number>;

const clusterCommand = (run: Run, done: (status: number) => void): Command =>
  withTemplateFlags(
    new Command("cluster")
      .description("Print the manifests of a cluster from a provider's flavor or a template.")
      .argument("<name>", "name of the cluster", clusterName)
      .option(
        "-i, --infrastructure <name>",
        "provider of the flavor: name, npm package or path (ours: azure, linode, metal)",
      )
      .option("-b, --bootstrap <name>", "bootstrap provider of the flavor", "kubeadm")
      .option("-f, --flavor <name>", "flavor of the provider", "default")
      .option("--list-flavors", "list the provider's flavors")
      .option("--kubernetes-version <version>", "such as v1.34.0 (default: $KUBERNETES_VERSION)", version)
      .option("--control-plane-machine-count <count>", "number of them, for templates that set it", count)
      .option("--workers <count>", "worker Machines", count)
      .addOption(
        new Option("--worker-machine-count <count>", "the same").argParser(count).hideHelp().conflicts("workers"),
      )
      .option("-n, --target-namespace <name>", "namespace of every object"),
    "use this template instead of a flavor: file, URL or - for standard input",
    ["infrastructure", "bootstrap", "flavor", "listFlavors"],
  )
    .addHelpText(
      "after",
      `
Variables come from flags, --set and the environment. Our flavors leave credentials as variables, for capstan up or
capstan generate yaml to fill in, so that files contain no secrets.

Examples:
  capstan generate cluster orchid --infrastructure linode --bootstrap kubeadm --workers 3 --kubernetes-version v1.34.0
  capstan generate cluster orchid -i linode --flavor ha --list-variables
  capstan generate cluster orchid --kubernetes-version v1.34.0 --from https://example.com/cluster-template.yaml`,
    )
    .action(async (name: string, flags: ClusterFlags) =>
      done(
        await run({
          what: "cluster",
          ...templateOptions(flags),
          name,
          infrastructure: flags.infrastructure,
          bootstrap: flags.bootstrap,
          flavor: flags.flavor,
          listFlavors: flags.listFlavors === true,
          kubernetesVersion: flags.kubernetesVersion,
          controlPlanes: flags.controlPlaneMachineCount,
          workers: flags.workers ?? flags.workerMachineCount,
          namespace: flags.targetNamespace,
        }),
      ),
    );

const yamlCommand = (run: Run, done: (status: number) => void): Command =>
  withTemplateFlags(
    new Command("yaml").description("Print a template with its variables replaced."),
    "template: file, URL or - for standard input (default: -)",
  )
    .addHelpText("after", "\nExample:\n  capstan generate yaml --from cluster.yaml | kubectl apply -f -")
    .action(async (flags: TemplateFlags) => done(await run({ what: "yaml", ...templateOptions(flags) })));

/** `capstan generate`; flags have clusterctl's names where they mean the same. */
export const generateCommand = (run: Run, done: (status: number) => void): Command =>
  new Command("generate")
    .description("Print manifests from templates.")
    .addCommand(clusterCommand(run, done))
    .addCommand(yamlCommand(run, done));
