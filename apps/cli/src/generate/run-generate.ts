import { CapstanError, silentLogger } from "@capstan/contract";
import type { FlavorV1 } from "@capstan/contract/v1";
import { cryptoRandom, proxyFromEnvironment, systemClock } from "@capstan/runtime";
import { outsideOf } from "../modules/outside.ts";
import { isAddon, leftOutWords } from "../manifest/addons.ts";
import { objectsIn } from "../manifest/read-manifests.ts";
import { writeFileAtomically } from "../write-file.ts";
import { fillTemplate, inNamespace, variableList, type FlagVariables } from "./fill-template.ts";
import { chosenFlavor, flavorsOf } from "./flavor.ts";
import type { GenerateClusterOptions, GenerateOptions } from "./generate-command.ts";
import { templateText } from "./template-text.ts";

interface Template extends Pick<FlavorV1, "values"> {
  /** Name in messages. */
  readonly source: string;
  readonly text: string;
}

const flavors = (infrastructure: string) =>
  flavorsOf(
    infrastructure,
    outsideOf({
      clock: systemClock,
      random: cryptoRandom,
      log: silentLogger,
      variables: (name) => process.env[name],
    }),
  );

/** A flavor of the provider that was named. Throws `generate.infrastructure_missing`. */
const flavorTemplate = async (options: GenerateClusterOptions): Promise<Template> => {
  const infrastructure = named(options);
  const { name, bootstrap, template, values } = chosenFlavor(await flavors(infrastructure), {
    ...options,
    infrastructure,
  });
  return { source: `flavor ${name} of ${infrastructure} for ${bootstrap}`, text: template, ...(values && { values }) };
};

const named = ({ infrastructure }: GenerateClusterOptions): string => {
  if (infrastructure !== undefined) return infrastructure;
  throw new CapstanError({
    code: "generate.infrastructure_missing",
    reason: "InfrastructureMissing",
    message: "name a provider with --infrastructure, such as linode, or a template with --from",
    retry: { kind: "never" },
  });
};

const flagVariables = (options: GenerateOptions): FlagVariables => {
  const set = Object.entries(options.set).map(([name, value]) => [name, { flag: `--set ${name}`, value }] as const);
  if (options.what === "yaml") return Object.fromEntries(set);
  const { kubernetesVersion, controlPlanes, workers } = options;
  return {
    KUBERNETES_VERSION: { flag: "--kubernetes-version", value: kubernetesVersion },
    CONTROL_PLANE_MACHINE_COUNT: { flag: "--control-plane-machine-count", value: controlPlanes?.toString() },
    WORKER_MACHINE_COUNT: { flag: "--workers", value: workers?.toString() },
    ...Object.fromEntries(set),
  };
};

/**
 * Values of other variables: those that the command line implies, the environment, and what clusterctl takes where nothing is said, which
 * templates of others count on. Flavors say it themselves.
 */
const otherVariables = (options: GenerateOptions): ((name: string) => string | undefined) => {
  const implied: Readonly<Record<string, string>> =
    options.what === "yaml" ? {} : { CLUSTER_NAME: options.name, NAMESPACE: options.namespace ?? "default" };
  const usual: Readonly<Record<string, string>> = isOfOthers(options) ? { CONTROL_PLANE_MACHINE_COUNT: "1" } : {};
  return (name) => implied[name] ?? process.env[name] ?? usual[name];
};

const isOfOthers = (options: GenerateOptions): boolean => options.what === "cluster" && options.from !== undefined;

const templateOf = async (options: GenerateOptions): Promise<Template> => {
  if (options.what === "cluster" && options.from === undefined) return flavorTemplate(options);
  const from = options.from ?? "-";
  const text = await templateText(from, proxyFromEnvironment(process.env));
  return { source: from === "-" ? "standard input" : from, text };
};

/** Says on standard error what nothing will apply. */
const sayLeftOut = (text: string, source: string, say: (text: string) => void): void => {
  const all = objectsIn(text, source);
  const words = leftOutWords(
    all.filter(({ object }) => isAddon(object)),
    all,
  );
  if (words !== undefined) say(`${source}: ${words}\n`);
};

const generated = async (options: GenerateOptions, say: (text: string) => void): Promise<string> => {
  if (options.what === "cluster" && options.listFlavors) {
    const lines = (await flavors(named(options))).map(
      ({ name, bootstrap, description }) => `${name} (${bootstrap}): ${description}\n`,
    );
    return lines.join("");
  }
  const { text, ...about } = await templateOf(options);
  if (options.listVariables) return variableList(text, about.source);
  const filled = fillTemplate(text, { ...about, flags: flagVariables(options), other: otherVariables(options) });
  if (options.what !== "cluster") return filled;
  sayLeftOut(filled, about.source, say);
  return options.namespace === undefined ? filled : inNamespace(filled, options.namespace);
};

/** `capstan generate`: resolves to the exit status. `say`: for what is no part of the result. */
export const runGenerate = async (
  options: GenerateOptions,
  { write, say }: Readonly<Record<"write" | "say", (text: string) => void>>,
): Promise<number> => {
  const text = await generated(options, say);
  if (options.writeTo === undefined) write(text);
  else writeFileAtomically(options.writeTo, text, "write-to");
  return 0;
};
