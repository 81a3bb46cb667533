import type { RE2JS } from "re2js";
import { readOptions, type UnixContext } from "../program.ts";
import { unescaped } from "../escapes.ts";
import { compile } from "./expressions.ts";

type Address = { readonly line: number } | { readonly last: true } | { readonly pattern: RE2JS };

interface Edit {
  readonly from?: Address;
  readonly to?: Address;
  readonly isNegated: boolean;
  readonly verb: string;
  readonly pattern?: RE2JS;
  /** What replaces, or is added. */
  readonly text: string;
  readonly flags: string;
  isInside: boolean;
}

/** Reads the commands of sed from left to right. */
class EditReader {
  readonly #script: string;
  readonly #isExtended: boolean;
  #at = 0;

  constructor(script: string, isExtended: boolean) {
    this.#script = script;
    this.#isExtended = isExtended;
  }

  all(): readonly Edit[] {
    const edits: Edit[] = [];
    for (;;) {
      this.#skip(/[\s;{}]*/y);
      if (this.#at >= this.#script.length) return edits;
      edits.push(this.#edit());
    }
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [text = ""] = pattern.exec(this.#script) ?? [];
    this.#at += text.length;
    return text;
  }

  #edit(): Edit {
    const from = this.#address();
    const to = this.#skip(/,/y) === "" ? undefined : this.#address();
    const isNegated = this.#skip(/\s*!/y) !== "";
    this.#skip(/\s*/y);
    const verb = this.#skip(/./y);
    const place = { ...(from && { from }), ...(to && { to }), isNegated, verb, isInside: false };
    if (verb === "s") {
      const separator = this.#skip(/./y);
      const pattern = this.#until(separator, true);
      const text = this.#until(separator, false);
      const flags = this.#skip(/[gpiI0-9]*/y);
      const compiled = compile(pattern, { isExtended: this.#isExtended, ignoresCase: /i/i.test(flags) });
      return { ...place, pattern: compiled, text, flags };
    }
    if ("aic".includes(verb)) {
      const text = this.#skip(/[^]*?(?:\n|$)/y)
        .replace(/^\s*\\?\n?/, "")
        .replace(/\n$/, "");
      return { ...place, text: unescaped(text), flags: "" };
    }
    if (!"dpq=n".includes(verb)) throw new Error(`-e expression #1, char ${this.#at}: unknown command: \`${verb}'`);
    return { ...place, text: "", flags: "" };
  }

  #until(separator: string, isPattern: boolean): string {
    let text = "";
    for (;;) {
      // In brackets the separator stands for itself.
      if (isPattern) text += this.#skip(/\[\^?\]?(?:\[:\w+:\]|[^\]\n])*\]/y);
      const character = this.#script.charAt(this.#at);
      if (character === "") throw new Error(`-e expression #1, char ${this.#at}: unterminated \`s' command`);
      this.#at += 1;
      if (character === separator) return text;
      if (character !== "\\") {
        text += character;
        continue;
      }
      const next = this.#script.charAt(this.#at);
      this.#at += 1;
      if (next === separator && separator !== "|") text += isPattern && /[.*[\]^$]/.test(next) ? `\\${next}` : next;
      else text += next === separator ? next : `\\${next}`;
    }
  }

  #address(): Address | undefined {
    const digits = this.#skip(/\d+/y);
    if (digits !== "") return { line: Number(digits) };
    if (this.#skip(/\$/y) !== "") return { last: true };
    const other = this.#skip(/\\./y);
    const separator = other === "" ? this.#skip(/\//y) : other.charAt(1);
    if (separator === "") return undefined;
    return { pattern: compile(this.#until(separator, true), { isExtended: this.#isExtended }) };
  }
}

const isAt = (
  address: Address,
  line: string,
  place: { readonly number: number; readonly isLast: boolean },
): boolean => {
  if ("line" in address) return address.line === place.number;
  return "last" in address ? place.isLast : address.pattern.matcher(line).find();
};

const applies = (edit: Edit, line: string, place: { readonly number: number; readonly isLast: boolean }): boolean => {
  const { from, to } = edit;
  if (from === undefined) return true;
  if (to === undefined) return isAt(from, line, place) !== edit.isNegated;
  const begins = !edit.isInside && isAt(from, line, place);
  const isIn = edit.isInside || begins;
  if (begins) edit.isInside = true;
  else if (edit.isInside && isAt(to, line, place)) edit.isInside = false;
  return isIn !== edit.isNegated;
};

/** The line with the matches replaced; the same line when there are none. */
const substituted = ({ flags, pattern, text }: Edit, line: string): string => {
  if (pattern === undefined) return line;
  const matcher = pattern.matcher(line);
  let [result, from] = ["", 0];
  while (matcher.find()) {
    const groups = text.replace(
      /\\([0-9])|\\([&n\\/.*[\]^$"'])|&|\\(.)/g,
      (whole, group?: string, escaped?: string, other?: string) => {
        if (group !== undefined) return matcher.group(Number(group)) ?? "";
        if (escaped !== undefined) return escaped === "n" ? "\n" : escaped;
        return other ?? (whole === "&" ? (matcher.group(0) ?? "") : whole);
      },
    );
    result += line.slice(from, matcher.start()) + groups;
    from = matcher.end();
    if (!flags.includes("g")) break;
  }
  return result + line.slice(from);
};

const edited = (text: string, edits: readonly Edit[], isQuiet: boolean): string => {
  const lines = text.split("\n");
  const hasEnd = lines.at(-1) === "";
  if (hasEnd) lines.pop();
  const output: string[] = [];
  for (const [index, original] of lines.entries()) {
    const place = { number: index + 1, isLast: index === lines.length - 1 };
    let line = original;
    let isGone = false;
    const after: string[] = [];
    for (const edit of edits) {
      if (isGone || !applies(edit, line, place)) continue;
      if (edit.verb === "s") {
        const before = line;
        line = substituted(edit, line);
        if (edit.flags.includes("p") && line !== before) output.push(line);
      } else if (edit.verb === "d") isGone = true;
      else if (edit.verb === "p") output.push(line);
      else if (edit.verb === "a") after.push(edit.text);
      else if (edit.verb === "i") output.push(edit.text);
      else if (edit.verb === "c") line = edit.text;
    }
    if (!isGone && !isQuiet) output.push(line);
    output.push(...after);
  }
  return output.length === 0 ? "" : `${output.join("\n")}${hasEnd ? "\n" : ""}`;
};

/** `sed`, as far as documents use it: `s`, `d`, `p`, `a`, `i` and `c` with addresses. */
export const sed = ({ args, disk, fail, input, write }: UnixContext): number => {
  const inPlace = args.find((word) => /^-[nEr]*i/.test(word) || word.startsWith("--in-place"));
  const given = args.filter((word) => word !== inPlace);
  const scripts = given.flatMap((word, index) =>
    given[index - 1] === "-e" || given[index - 1] === "--expression" ? [word] : [],
  );
  const { options, words } = readOptions(given, ["-e", "--expression", "-f"]);
  const isExtended =
    ["-E", "-r", "--regexp-extended"].some((name) => options.has(name)) || /^-\w*[Er]/.test(inPlace ?? "");
  const files = scripts.length > 0 ? words : words.slice(1);
  try {
    const script = (scripts.length > 0 ? scripts : words.slice(0, 1)).join("\n");
    const isQuiet = options.has("-n") || /^-\w*n/.test(inPlace ?? "");
    if (files.length === 0) write(edited(input.all(), new EditReader(script, isExtended).all(), isQuiet));
    for (const path of files) {
      const file = disk.stat(path);
      if (file === undefined) return fail(`can't read ${path}: No such file or directory`, 2);
      const text = edited(new TextDecoder().decode(file.bytes), new EditReader(script, isExtended).all(), isQuiet);
      if (inPlace === undefined) write(text);
      else disk.write(path, text, file);
    }
    return 0;
  } catch (error) {
    return fail((error as Error).message);
  }
};
