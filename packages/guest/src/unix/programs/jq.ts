import { isCapstanError } from "@capstan/contract";
import { evaluateInThread } from "@capstan/evaluation";
import { flow } from "../../boot/flow.ts";
import type { UnixContext } from "../program.ts";
import { fileText, textOf } from "./text-input.ts";
import type { JqInput, JqOutput } from "./jq-filter.ts";

/** Options with the number of words that follow them. */
const following: Readonly<Record<string, number>> = {
  "--arg": 2,
  "--argjson": 2,
  "--slurpfile": 2,
  "--rawfile": 2,
  "--indent": 1,
  "-f": 1,
  "--from-file": 1,
};

interface Call {
  readonly options: string[];
  readonly words: string[];
  program?: string;
}

/** Adds an option and its words to the call, with the content of files in place of their names; `false`: a file is not there. */
const take = (option: string, values: readonly string[], call: Call, context: UnixContext): boolean => {
  const [first = "", second = ""] = values;
  const path =
    option === "-f" || option === "--from-file" ? first : /^--(?:slurp|raw)file$/.test(option) ? second : undefined;
  if (path === undefined) {
    call.options.push(option, ...values);
    return true;
  }
  const content = fileText(path, context);
  if (content === undefined) return false;
  if (option === "--slurpfile") call.options.push("--argjson", first, `[${content}]`);
  else if (option === "--rawfile") call.options.push("--arg", first, content);
  else call.program = content;
  return true;
};

const readCall = (context: UnixContext): Call | undefined => {
  const call: Call = { options: [], words: [] };
  for (let at = 0; at < context.args.length; at += 1) {
    const word = context.args[at] ?? "";
    if (!/^-./.test(word)) {
      call.words.push(word);
      continue;
    }
    const count = following[word] ?? 0;
    if (!take(word, context.args.slice(at + 1, at + 1 + count), call, context)) return undefined;
    at += count;
  }
  return call;
};

const hasFlag = (options: readonly string[], letter: string, name: string): boolean =>
  options.some((option) => option === name || (/^-[a-zA-Z]+$/.test(option) && option.includes(letter)));

/** Without the letters of raw output, which is made here: space at the ends of texts counts. */
const quoted = (option: string): readonly string[] => {
  if (option === "--raw-output" || option === "--join-output") return [];
  if (!/^-[a-zA-Z]+$/.test(option)) return [option];
  const letters = option.replaceAll(/[rj]/g, "");
  return letters === "-" ? [] : [letters];
};

/** Prints texts as they are where it is asked to; a line of what jq prints begins with a quotation mark only where a value does. */
const shown = (out: string, isRaw: boolean): readonly string[] =>
  out.split("\n").map((line) => (isRaw && line.startsWith('"') ? (JSON.parse(line) as string) : line));

const run = async (input: JqInput): Promise<JqOutput> => {
  const { filtering } = await import("./jq-filter.ts");
  try {
    return await evaluateInThread(filtering, input, { what: "the program of jq", flow });
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return { status: 137, out: "", err: `jq: ${error.message}` };
  }
};

/** `jq`, which is jq 1.8 with the statuses of the older ones that the distributions have. */
export const jq = async (context: UnixContext): Promise<number> => {
  const { environment, streams, write } = context;
  const call = readCall(context);
  if (call === undefined) return 2;
  const { options, words } = call;
  const [program = ".", ...paths] = call.program === undefined ? words : [call.program, ...words];
  const text = hasFlag(options, "n", "--null-input") ? "" : textOf(paths, context);
  if (text === undefined) return 2;
  const isJoined = hasFlag(options, "j", "--join-output");
  const isRaw = isJoined || hasFlag(options, "r", "--raw-output");
  const before = /\benv\b|\$ENV\b/.test(program) ? `${JSON.stringify(environment)} as $ENV | def env: $ENV; ` : "";
  const { err, out, status } = await run({ program: `${before}${program}`, text, options: options.flatMap(quoted) });
  if (err !== "") streams.err(`${err.replaceAll("/dev/stdin", "<stdin>")}\n`);
  if (out !== "") write(isJoined ? shown(out, true).join("") : `${shown(out, isRaw).join("\n")}\n`);
  return err.includes("parse error") ? 4 : status;
};
