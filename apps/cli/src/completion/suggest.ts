import type { Argument, Command, Option } from "commander";
import { moduleRoles } from "../modules/module-options.ts";
import { optionMeaning, type OptionText } from "../options/option-texts.ts";
import { setOptionName } from "../options/set-option-flag.ts";
import { completeCommand } from "./completion-script.ts";
import { aloneRole, ownNames, type ModuleRole } from "../modules/module-role.ts";

/** One completion for a position on the command line. */
export interface Suggestion {
  readonly word: string;
  readonly meaning?: string;
  /** Names of files behind the word, too. */
  readonly files?: true;
}

/** Flags before the cursor that select the management API. */
export type ApiFlags = Readonly<Record<string, string>>;

/**
 * Names known only to the management API, the kubeconfig and the modules of providers. Empty where they cannot be
 * reached.
 */
export interface Names {
  kinds(flags: ApiFlags): Promise<readonly string[]>;
  objects(kind: string, flags: ApiFlags): Promise<readonly string[]>;
  namespaces(flags: ApiFlags): Promise<readonly string[]>;
  contexts(flags: ApiFlags): Promise<readonly string[]>;
  /** Options of providers and object stores, of those that flags name. */
  options(flags: ApiFlags): Promise<readonly OptionText[]>;
}

/** A place on the command line, and what leads to it. */
interface Place {
  readonly command: Command;
  /** The names of the command and of those above it. */
  readonly path: string;
  readonly flags: Record<string, string>;
  readonly positionals: string[];
  /** The flag whose value stands here. */
  readonly pending: Option | undefined;
}

const findOption = (command: Command, word: string): Option | undefined =>
  command.options.find(({ short, long }) => word === short || word === long);

const placeOf = (root: Command, before: readonly string[]): Place => {
  let command = root;
  const path: string[] = [];
  const flags: Record<string, string> = {};
  const positionals: string[] = [];
  let pending: Option | undefined;
  for (const word of before) {
    const [name = "", ...value] = word.split("=");
    const option = word.startsWith("-") ? findOption(command, name) : undefined;
    const part = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    // Where bash parts a word at its equals sign, that is a word of its own.
    if (pending !== undefined && word === "=") continue;
    if (pending !== undefined) {
      flags[pending.long ?? ""] = word;
      pending = undefined;
    } else if (option !== undefined && value.length > 0) flags[option.long ?? ""] = value.join("=");
    else if (option?.required === true) pending = option;
    else if (part !== undefined && positionals.length === 0) {
      command = part;
      path.push(word);
    } else if (option === undefined && !word.startsWith("-")) positionals.push(word);
  }
  return { command, path: path.join(" "), flags, positionals, pending };
};

const words = (all: readonly string[]): readonly Suggestion[] => all.map((word) => ({ word }));

const filesBehind = (before = ""): Suggestion => ({ word: before, files: true });

/** Modules are named by ours, by paths and by packages; of several, the last is behind its comma. */
const modules = (role: ModuleRole, current: string): readonly Suggestion[] => {
  const before = current.slice(0, current.lastIndexOf(",") + 1);
  return [...words(ownNames(role).map((name) => `${before}${name}`)), filesBehind(before)];
};

/** `OWNER.OPTION=`, and behind that the values, where they are known. */
const settings = (all: readonly OptionText[], current: string): readonly Suggestion[] => {
  const [name = "", value] = current.split(/=(.*)/s);
  if (value === undefined) return all.map((option) => ({ word: `${option.name}=`, meaning: optionMeaning(option) }));
  const option = all.find((each) => each.name === name);
  const values = option?.type === "boolean" ? ["true", "false"] : (option?.choices ?? []);
  return words(values.map((each) => `${name}=${each}`));
};

const takesFiles = /<[^>]*(?:file|folder|path)[^>]*>|\[[^\]]*file[^\]]*\]/;

const valuesOf = async (
  option: Option,
  current: string,
  flags: ApiFlags,
  names: Names,
): Promise<readonly Suggestion[]> => {
  const role = moduleRoles.find(({ flag }) => flag === option.long);
  if (role !== undefined) return modules(role, current);
  if (option.long === setOptionName) return settings(await names.options(flags), current);
  if (option.argChoices !== undefined) return words(option.argChoices);
  if (option.long === "--namespace") return words(await names.namespaces(flags));
  if (option.long === "--context") return words(await names.contexts(flags));
  return takesFiles.test(option.flags) ? [filesBehind()] : [];
};

/** Completes `KIND/NAME`: kinds before the slash, names after it. */
const kindAndName = async (
  kinds: readonly string[],
  current: string,
  flags: ApiFlags,
  names: Names,
): Promise<readonly Suggestion[]> => {
  const [kind = "", name] = current.split("/");
  if (name === undefined) return words(kinds.map((each) => `${each}/`));
  return words((await names.objects(kind, flags)).map((each) => `${kind}/${each}`));
};

/** Commands whose argument is the name of an object of one kind. */
const objectOf: Readonly<Record<string, string>> = {
  "get kubeconfig": "clusters",
  "logs machine": "machines",
  "etcd members": "clusters",
  "etcd snapshot": "clusters",
  "etcd defrag": "clusters",
  "etcd restore": "clusters",
};

const argumentValues = async (
  argument: Argument,
  { path, flags, positionals }: Place,
  current: string,
  names: Names,
): Promise<readonly Suggestion[]> => {
  if (argument.argChoices !== undefined) return words(argument.argChoices);
  if (argument.name().includes("/NAME")) {
    const kinds = argument
      .name()
      .split("|")
      .map((each) => each.replace("/NAME", ""));
    return kindAndName(kinds, current, flags, names);
  }
  if (path === "simulate") return modules(aloneRole, current);
  const [kind] = positionals;
  if (path === "describe" && kind !== undefined) return words(await names.objects(kind, flags));
  if (path === "describe") {
    return current.includes("/") ? kindAndName([], current, flags, names) : words(await names.kinds(flags));
  }
  const known = objectOf[path];
  return known === undefined ? [] : words(await names.objects(known, flags));
};

const flagsOf = (command: Command): readonly Suggestion[] => [
  ...command.options.flatMap(({ short, long, description }) =>
    [long, short].flatMap((flag) => (flag ? [{ word: flag, meaning: description }] : [])),
  ),
  { word: "--help", meaning: "display help" },
];

const visible = (command: Command): readonly Suggestion[] =>
  command.commands
    .filter((part) => part.name() !== completeCommand)
    .map((part) => ({ word: part.name(), meaning: part.description() }));

/** Returns the completions of the last word after `capstan`, which may be partly typed. */
export const suggest = async (
  root: Command,
  given: readonly string[],
  names: Names,
): Promise<readonly Suggestion[]> => {
  const last = given.at(-1) ?? "";
  const place = placeOf(root, given.slice(0, -1));
  const current = last === "=" ? "" : last;
  const begins = ({ word, files }: Suggestion): boolean => files === true || word.startsWith(current);
  const { command, flags, pending, positionals } = place;
  if (pending !== undefined) return (await valuesOf(pending, current, flags, names)).filter(begins);
  const [name = "", value] = current.split(/=(.*)/s);
  const option = value === undefined ? undefined : findOption(command, name);
  if (option !== undefined && value !== undefined) {
    const values = await valuesOf(option, value, flags, names);
    return values.map((each) => ({ ...each, word: `${name}=${each.word}` })).filter(begins);
  }
  if (current.startsWith("-")) return flagsOf(command).filter(begins);
  if (command.commands.length > 0) return visible(command).filter(begins);
  const argument = command.registeredArguments[positionals.length];
  const values = argument === undefined ? [] : await argumentValues(argument, place, current, names);
  return [...values, ...(current === "" && values.length === 0 ? flagsOf(command) : [])].filter(begins);
};
