import { isPlainForGo } from "./go-scalars.ts";

/** Lines are folded at the first space behind this column. */
const bestWidth = 80;
const indentStep = 2;
/** Bytes of the longest key that stands before its colon on one line. */
const longestSimpleKey = 128;

const isSpace = (character: string | undefined): boolean => character === " ";
const isBreak = (character: string | undefined): boolean =>
  character !== undefined && "\r\n\u0085\u2028\u2029".includes(character) && character !== "";
const isBlank = (character: string | undefined): boolean =>
  character === undefined || isSpace(character) || character === "\t" || isBreak(character);

const isPrintable = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0a || (code >= 0x20 && code <= 0x7e)) return true;
  if (code < 0xa0 || code > 0xffff || code === 0xfeff || code >= 0xfffe) return false;
  return code < 0xd800 || code > 0xdfff;
};

/** Where the text of a scalar may stand without quotes, between single ones, or as a block. */
interface Analysis {
  readonly isMultiline: boolean;
  readonly plain: boolean;
  readonly single: boolean;
  readonly block: boolean;
}

const startsWithIndicator = ([first, second]: readonly string[]): boolean =>
  first !== undefined && ("#,[]{}&*!|>'\"%@`".includes(first) || ("?:-".includes(first) && isBlank(second)));

const analyze = (characters: readonly string[]): Analysis => {
  if (characters.length === 0) return { isMultiline: false, plain: true, single: true, block: false };
  const start = characters.slice(0, 3).join("");
  const indicator =
    start === "---" ||
    start === "..." ||
    startsWithIndicator(characters) ||
    characters.some(
      (each, index) =>
        index > 0 &&
        ((each === ":" && isBlank(characters[index + 1])) || (each === "#" && isBlank(characters[index - 1]))),
    );
  const follows = (first: typeof isSpace, second: typeof isSpace): boolean =>
    characters.some((each, index) => index > 0 && second(each) && first(characters[index - 1]));
  const special = characters.some((each) => !isPrintable(each)) || follows(isSpace, isBreak);
  const isMultiline = characters.some(isBreak);
  const [first, last] = [characters[0], characters.at(-1)];
  const hasOuterSpace = [first, last].some((each) => isSpace(each) || isBreak(each));
  const breakSpace = follows(isBreak, isSpace);
  return {
    isMultiline,
    plain: !(hasOuterSpace || breakSpace || special || isMultiline || indicator),
    single: !(breakSpace || special),
    block: !(isSpace(last) || special),
  };
};

const escapes = new Map([
  ["\0", "0"],
  ["\u0007", "a"],
  ["\b", "b"],
  ["\t", "t"],
  ["\n", "n"],
  ["\v", "v"],
  ["\f", "f"],
  ["\r", "r"],
  ["\u001B", "e"],
  ['"', '"'],
  ["\\", "\\"],
  ["\u0085", "N"],
  ["\u00A0", "_"],
  ["\u2028", "L"],
  ["\u2029", "P"],
]);

const escaped = (character: string): string => {
  const known = escapes.get(character);
  if (known !== undefined) return `\\${known}`;
  const code = character.codePointAt(0) ?? 0;
  const [letter, digits] =
    code <= 0xff ? (["x", 2] as const) : code <= 0xffff ? (["u", 4] as const) : (["U", 8] as const);
  return `\\${letter}${code.toString(16).toUpperCase().padStart(digits, "0")}`;
};

const isDigit = (each: string | undefined): boolean => each !== undefined && /\p{Nd}/u.test(each);

const inDouble = (each: string): string =>
  !isPrintable(each) || isBreak(each) || each === '"' || each === "\\" ? escaped(each) : each;

/** Keys by letters and the numbers in them: `a2` before `a10`. */
const byKey = (a: string, b: string): number => {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let index = 0; index < left.length && index < right.length; index += 1) {
    const [x = "", y = ""] = [left[index], right[index]];
    if (x === y) continue;
    const [isLetter, otherIsLetter] = [/\p{L}/u.test(x), /\p{L}/u.test(y)];
    const order = (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
    if (isLetter && otherIsLetter) return order;
    if (isLetter || otherIsLetter) return otherIsLetter ? -1 : 1;
    let lead = "";
    if (x === "0" || y === "0") {
      let before = index - 1;
      while (before >= 0 && isDigit(left[before]) && left[before] === "0") before -= 1;
      if (before >= 0 && isDigit(left[before])) lead = "1";
    }
    const run = (of: readonly string[]): string => {
      let end = index;
      while (isDigit(of[end])) end += 1;
      return of.slice(index, end).join("");
    };
    const [m, n] = [run(left), run(right)];
    // Numbers of 64 bits, which wrap around.
    const [a64, b64] = [m, n].map((digits) => BigInt.asIntN(64, BigInt(`0${lead}${digits.replace(/\D/g, "")}`)));
    if (a64 !== b64) return a64! < b64! ? -1 : 1;
    return m.length === n.length ? order : m.length - n.length;
  }
  return left.length - right.length;
};

/** The members of a JSON value, in the order in which they are written. */
const membersOf = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value).toSorted(([a], [b]) => byKey(a, b));

class Writer {
  readonly #parts: string[] = [];
  #column = 0;

  get text(): string {
    return this.#parts.join("");
  }

  put(text: string): void {
    this.#parts.push(text);
    const at = text.lastIndexOf("\n");
    this.#column = at < 0 ? this.#column + text.length : text.length - at - 1;
  }

  newLine(indent: number): void {
    this.put(`\n${" ".repeat(Math.max(indent, 0))}`);
  }

  /** Characters, folded at single spaces of which `isFolded` says so. */
  folded(
    characters: readonly string[],
    indent: number,
    write: (each: string) => string,
    isFolded: (index: number) => boolean,
    afterFold: (index: number) => string = () => "",
  ): void {
    let afterSpace = false;
    characters.forEach((each, index) => {
      if (!isSpace(each)) this.put(write(each));
      else if (!afterSpace && this.#column > bestWidth && isFolded(index)) {
        this.newLine(indent);
        this.put(afterFold(index));
      } else this.put(each);
      afterSpace = isSpace(each);
    });
  }

  double(characters: readonly string[], indent: number, isKey: boolean): void {
    const isInside = (index: number): boolean => !isKey && index > 0 && index < characters.length - 1;
    this.put('"');
    this.folded(characters, indent, inDouble, isInside, (index) => (isSpace(characters[index + 1]) ? "\\" : ""));
    this.put('"');
  }

  single(characters: readonly string[], indent: number, isKey: boolean): void {
    const isInside = (index: number): boolean =>
      !isKey && index > 0 && index < characters.length - 1 && !isSpace(characters[index + 1]);
    this.put("'");
    this.folded(characters, indent, (each) => (each === "'" ? "''" : each), isInside);
    this.put("'");
  }

  literal(text: string, indent: number): void {
    const hint = isSpace(text[0]) || isBreak(text[0]) ? String(indentStep) : "";
    const lines = text.split("\n");
    const chomp = text.endsWith("\n") ? (text === "\n" || text.endsWith("\n\n") ? "+" : "") : "-";
    if (text.endsWith("\n")) lines.pop();
    this.put(`|${hint}${chomp}`);
    for (const line of lines) {
      if (line === "") this.put("\n");
      else {
        this.newLine(indent);
        this.put(line);
      }
    }
  }

  string(text: string, indent: number, isKey: boolean): void {
    const characters = Array.from(text);
    const analysis = analyze(characters);
    const isPlain = isPlainForGo(text);
    if (text.includes("\n")) {
      if (analysis.block && !isKey) return this.literal(text, indent);
      return this.double(characters, indent, isKey);
    }
    if (!isPlain || (isKey && analysis.isMultiline)) return this.double(characters, indent, isKey);
    if (analysis.plain && text !== "") {
      return this.folded(
        characters,
        indent,
        (each) => each,
        (index) => !isKey && !isSpace(characters[index + 1]),
      );
    }
    return analysis.single ? this.single(characters, indent, isKey) : this.double(characters, indent, isKey);
  }
}

/** A number as Go writes it: floats as short as can be, with an exponent from 1e6 and below 1e-4. */
const numberText = (value: number): string => {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 64) return BigInt(value).toString();
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 6) {
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  return value.toFixed(Math.max(0, digits.replace(/[-.]/g, "").length - 1 - power));
};

const isCollection = (value: unknown): value is object => typeof value === "object" && value !== null;

class GoYaml {
  readonly #writer = new Writer();

  write(value: unknown): string {
    this.#value(value, -1, "root");
    return this.#writer.text;
  }

  /** `place`: behind which mark the value stands. */
  #value(value: unknown, indent: number, place: "root" | "item" | "member"): void {
    if (value === undefined || value === null) return this.#put("null", place);
    if (typeof value === "string") {
      this.#put("", place);
      return this.#writer.string(value, (indent < 0 ? 0 : indent) + indentStep, false);
    }
    if (typeof value === "number") return this.#put(numberText(value), place);
    if (!isCollection(value)) return this.#put(String(value), place);
    if (Array.isArray(value)) return this.#list(value, indent, place);
    return this.#map(value, indent, place);
  }

  #put(text: string, place: "root" | "item" | "member"): void {
    this.#writer.put(place === "member" ? ` ${text}` : text);
  }

  #list(items: readonly unknown[], indent: number, place: "root" | "item" | "member"): void {
    if (items.length === 0) return this.#put("[]", place);
    const inner = place === "member" ? indent : indent < 0 ? 0 : indent + indentStep;
    items.forEach((item, index) => {
      if (index > 0 || place === "member") this.#writer.newLine(inner);
      this.#writer.put("- ");
      this.#value(item, inner, "item");
    });
  }

  #map(value: object, indent: number, place: "root" | "item" | "member"): void {
    const members = membersOf(value);
    if (members.length === 0) return this.#put("{}", place);
    const inner = indent < 0 ? 0 : indent + indentStep;
    members.forEach(([key, of], index) => {
      if (index > 0 || place === "member") this.#writer.newLine(inner);
      const isSimple = Buffer.byteLength(key) <= longestSimpleKey && !analyze(Array.from(key)).isMultiline;
      if (!isSimple) this.#writer.put("? ");
      this.#writer.string(key, inner + indentStep, isSimple);
      if (!isSimple) this.#writer.newLine(inner);
      this.#writer.put(isSimple ? ":" : ": ");
      this.#value(of, inner, isSimple ? "member" : "item");
    });
  }
}

/**
 * Returns a JSON value as Go's `sigs.k8s.io/yaml` writes it: keys in order, lists not indented, texts that YAML 1.1 would read as something
 * else in quotes. There is no line feed at the end, unless a block has one.
 */
export const goYamlText = (value: unknown): string => new GoYaml().write(value);
