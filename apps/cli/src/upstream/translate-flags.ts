import { CapstanError } from "@capstan/contract";
import { setOptionWords } from "../options/set-option-flag.ts";
import { featureGates } from "./feature-gates.ts";
import type { UpstreamFlag } from "./upstream-flag.ts";
import { upstreamFlags } from "./upstream-flags.ts";

/** A command line in flags of ours. */
export interface Translation {
  readonly words: readonly string[];
  /** Notes on upstream flags without effect here, one line each. */
  readonly notes: readonly string[];
}

/** A command that takes some of upstream's flags beside its own. */
export interface OwnFlags {
  readonly name: string;
  /** With their hyphens. */
  readonly flags: ReadonlySet<string>;
}

/** A flag of upstream's as it was given. */
interface Given {
  readonly flag: UpstreamFlag;
  readonly value: string;
}

const refusal = (message: string): CapstanError =>
  new CapstanError({ code: "manager.flag_refused", reason: "FlagRefused", message, retry: { kind: "never" } });

const known: ReadonlyMap<string, UpstreamFlag> = new Map(upstreamFlags.map((flag) => [flag.name, flag]));

/** As Go's libraries read flags: with one hyphen or two, with hyphens or underscores in the name, the value behind `=` or as the next word. */
const findFlag = (word: string): { readonly flag: UpstreamFlag; readonly value: string | undefined } | undefined => {
  const [, name = "", value] = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
  const flag = known.get(name.replaceAll("_", "-"));
  // Letters of ours behind one hyphen are flags of their own, of which upstream has only one.
  return flag === undefined ? undefined : { flag, value };
};

const truths = new Set(["", "1", "t", "T", "true", "TRUE", "True"]);
const untruths = new Set(["0", "f", "F", "false", "FALSE", "False"]);

const isTrue = ({ flag, value }: Given): boolean => {
  if (truths.has(value)) return true;
  if (untruths.has(value)) return false;
  throw refusal(`--${flag.name}=${value}: must be true or false`);
};

const ownFlag = (ours: string, given: Given): readonly string[] => {
  if (given.flag.boolean !== true) return given.value === "" ? [] : [`${ours}=${given.value}`];
  if (isTrue(given)) return [ours];
  return ours === "--leader-elect" ? ["--no-leader-elect"] : [];
};

/** One at a time: a setting of the option, or a note where its provider does not run. */
const optionOf = (
  option: string,
  values: readonly string[],
  takesPart: (of: string) => boolean,
  said: string,
): Translation => {
  const [of = ""] = option.split(".");
  if (takesPart(of)) return { words: setOptionWords(values.map((value) => `${option}=${value}`)), notes: [] };
  return { words: [], notes: [`${said} is ignored: ${of} is not running here`] };
};

const gate = (text: string, takesPart: (of: string) => boolean): Translation => {
  const [name = "", value = ""] = text.split("=");
  const found = Object.hasOwn(featureGates, name) ? featureGates[name] : undefined;
  const said = `feature gate ${text}`;
  if (found === undefined) return { words: [], notes: [`${said} is ignored: unknown flag`] };
  const isOn = truths.has(value);
  if (found.option !== undefined) {
    return isOn ? optionOf(found.option, ["true"], takesPart, said) : { words: [], notes: [] };
  }
  const why = isOn ? found.on : found.off;
  return { words: [], notes: why === undefined ? [] : [`${said} is ignored: ${why}`] };
};

const joined = (all: readonly Translation[]): Translation => ({
  words: all.flatMap(({ words }) => words),
  notes: all.flatMap(({ notes }) => notes),
});

const words = (...all: readonly string[]): Translation => ({ words: all, notes: [] });

/** klog's levels: 4 is debugging. */
const verbosity = (value: string): Translation => words(`--log-level=${Number(value) >= 4 ? "debug" : "info"}`);

const zapLevels = ["debug", "info", "error"];

const zapLevel = (value: string): Translation =>
  words(`--log-level=${zapLevels.includes(value) ? value : value === "panic" ? "error" : "debug"}`);

const metrics = (value: string, isSecure: boolean): Translation =>
  value === "0"
    ? words("--diagnostics-address=off")
    : words(`--diagnostics-address=${value}`, ...(isSecure ? [] : ["--insecure-diagnostics"]));

const used = (given: Given, all: readonly Given[], takesPart: (of: string) => boolean): Translation => {
  const { flag, value } = given;
  const { name, use } = flag;
  const said = flag.boolean === true && value === "" ? `--${name}` : `--${name}=${value}`;
  if ("flag" in use) return words(...ownFlag(use.flag, given));
  if ("kinds" in use) return words(...use.kinds.map((kind) => `--concurrency=${kind}=${value}`));
  if ("option" in use) {
    const values = use.splits === true ? value.split(",").filter((each) => each !== "") : [value];
    return optionOf(use.option, values, takesPart, said);
  }
  if ("refused" in use) throw refusal(`${said}: ${use.refused}`);
  if ("ignored" in use) {
    const { otherwise } = use;
    if (otherwise !== undefined && !otherwise.than.includes(value)) throw refusal(`${said}: ${otherwise.refused}`);
    return { words: [], notes: [`${said} is ignored: ${use.ignored}`] };
  }
  if (use.special === "verbosity") return verbosity(value);
  if (use.special === "zapLevel") return zapLevel(value);
  if (use.special === "featureGates") {
    return joined(
      value
        .split(",")
        .filter((each) => each !== "")
        .map((each) => gate(each, takesPart)),
    );
  }
  const isSecure = all.some((each) => each.flag.name === "metrics-secure" && isTrue(each));
  return use.special === "metrics" ? metrics(value, isSecure) : words();
};

const isOwn = (word: string, command: OwnFlags | undefined): boolean =>
  command?.flags.has(word.split("=", 1)[0] ?? "") === true;

/** Leaves out what the command has no flag for, and says so. */
const fitted = (translation: Translation, { flag }: Given, command: OwnFlags | undefined): Translation => {
  if (command === undefined || translation.words.every((word) => isOwn(word, command))) return translation;
  return { words: [], notes: [`--${flag.name} is ignored: capstan ${command.name} has no such setting`] };
};

/** `--providers` among the words. */
const providersIn = (line: readonly string[]): readonly string[] | undefined => {
  const index = line.findIndex((word) => word === "--providers" || word.startsWith("--providers="));
  const text = line[index]?.split("=")[1] ?? line[index + 1];
  return index < 0 ? undefined : text?.split(",").map((name) => name.trim().replace(/^@capstan\//, ""));
};

const checkFilters = (all: readonly string[]): void => {
  const filters = new Set(all.filter((word) => word.startsWith("--watch-filter=")));
  if (filters.size > 1) throw refusal(`${[...filters].join(" and ")}: one filter applies to all kinds here`);
};

/**
 * Translates flags of upstream's managers, so that the arguments of their Deployments start ours; all other words stay. `usual`: the
 * providers that run where `--providers` names none. `command`: a command other than `manager`, whose own flags keep their meaning.
 * Throws `manager.flag_refused`.
 */
export const translateFlags = (line: readonly string[], usual: readonly string[], command?: OwnFlags): Translation => {
  const providers = providersIn(line) ?? usual;
  const takesPart = (of: string): boolean => providers.includes(of);
  const parts: (Given | string)[] = [];
  for (let index = 0; index < line.length; index++) {
    const word = line[index] ?? "";
    const found = isOwn(word, command) ? undefined : findFlag(word);
    if (found === undefined) {
      parts.push(word);
      continue;
    }
    const takesNext = found.value === undefined && found.flag.boolean !== true;
    if (takesNext) index++;
    const value = found.value ?? (takesNext ? line[index] : "");
    // Without a value it is left as it is: the command says what is missing.
    parts.push(value === undefined ? `--${found.flag.name}` : { flag: found.flag, value });
  }
  const given = parts.filter((part) => typeof part !== "string");
  const translate = (part: Given): Translation => fitted(used(part, given, takesPart), part, command);
  const result = joined(parts.map((part) => (typeof part === "string" ? words(part) : translate(part))));
  checkFilters(result.words);
  return { words: result.words, notes: [...new Set(result.notes)] };
};
