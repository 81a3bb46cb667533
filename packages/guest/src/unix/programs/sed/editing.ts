import type { Address, Edit } from "./edits.ts";

/** Commands that one run may take. */
const most = 1_000_000;

/** The line with the matches replaced; `undefined`: there are none. */
const substituted = ({ flags, pattern, text }: Edit, line: string): string | undefined => {
  if (pattern === undefined) return undefined;
  const matcher = pattern.matcher(line);
  const first = Number(/\d+/.exec(flags)?.[0] ?? 1);
  let [result, from, count] = ["", 0, 0];
  while (matcher.find()) {
    count += 1;
    if (count < first) continue;
    const groups = text.replace(
      /\\([0-9])|\\([&nt\\/.*[\]^$"'])|&|\\(.)/g,
      (whole, group?: string, escaped?: string, other?: string) => {
        if (group !== undefined) return matcher.group(Number(group)) ?? "";
        if (escaped !== undefined) return escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped;
        return other ?? (whole === "&" ? (matcher.group(0) ?? "") : whole);
      },
    );
    result += line.slice(from, matcher.start()) + groups;
    from = matcher.end();
    if (!flags.includes("g")) break;
  }
  return count < first ? undefined : result + line.slice(from);
};

/** The place behind the end of a block, or at a label. Throws where there is none. */
const placesOf = (edits: readonly Edit[]): ReadonlyMap<Edit | string, number> => {
  const places = new Map<Edit | string, number>();
  const open: Edit[] = [];
  for (const [at, edit] of edits.entries()) {
    if (edit.verb === "{") open.push(edit);
    if (edit.verb === ":") places.set(edit.text, at);
    if (edit.verb !== "}") continue;
    const begun = open.pop();
    if (begun === undefined) throw new Error("-e expression #1, char 0: unexpected `}'");
    places.set(begun, at + 1);
  }
  if (open.length > 0) throw new Error("-e expression #1, char 0: unmatched `{'");
  const missing = edits.find(({ text, verb }) => /^[btT]$/.test(verb) && text !== "" && !places.has(text));
  if (missing !== undefined) {
    throw new Error(`-e expression #1, char 0: can't find label for jump to \`${missing.text}'`);
  }
  return places;
};

/** One run of commands over the lines of a text. */
class Editing {
  readonly #edits: readonly Edit[];
  readonly #places: ReadonlyMap<Edit | string, number>;
  readonly #lines: readonly string[];
  readonly #isQuiet: boolean;
  /** The line with which a range ends, by its command; `Infinity`: its end was not found yet. */
  readonly #inside = new Map<Edit, number>();
  readonly #output: string[] = [];
  #after: string[] = [];
  #number = 0;
  #space = "";
  #held = "";
  #hasReplaced = false;
  #steps = 0;
  status = 0;
  hasQuit = false;

  constructor(edits: readonly Edit[], lines: readonly string[], isQuiet: boolean) {
    this.#edits = edits;
    this.#places = placesOf(edits);
    this.#lines = lines;
    this.#isQuiet = isQuiet;
    for (const edit of edits) {
      if (edit.from && "line" in edit.from && edit.from.line === 0) this.#inside.set(edit, Infinity);
    }
  }

  get output(): readonly string[] {
    return this.#output;
  }

  /** The number of lines that were read. */
  run(): number {
    while (this.#number < this.#lines.length && !this.hasQuit) {
      this.#space = this.#lines[this.#number] ?? "";
      this.#number += 1;
      this.#hasReplaced = false;
      const isShown = this.#cycle();
      if (isShown && !this.#isQuiet) this.#output.push(this.#space);
      this.#endLine();
    }
    return this.#number;
  }

  #endLine(): void {
    this.#output.push(...this.#after);
    this.#after = [];
  }

  get #isLast(): boolean {
    return this.#number === this.#lines.length;
  }

  #isAt(address: Address): boolean {
    if ("line" in address) return address.line === this.#number;
    if ("pattern" in address) return address.pattern.matcher(this.#space).find();
    return "last" in address && this.#isLast;
  }

  #applies(edit: Edit): boolean {
    const { from, isNegated, to } = edit;
    if (from === undefined) return !isNegated;
    if (to === undefined) return this.#isAt(from) !== isNegated;
    return this.#isInRange(edit, from, to) !== isNegated;
  }

  #isInRange(edit: Edit, from: Address, to: Address): boolean {
    const until = this.#inside.get(edit);
    if (until === undefined) {
      if (!this.#isAt(from)) return false;
      const end = "line" in to ? to.line : "later" in to ? this.#number + to.later : Infinity;
      if (end > this.#number) this.#inside.set(edit, end);
      return true;
    }
    if (this.#number >= until || this.#isAt(to)) this.#inside.delete(edit);
    return this.#number <= until;
  }

  /** Runs the commands over what is in the pattern space; false: it is not to be shown. */
  #cycle(): boolean {
    for (let at = 0; at < this.#edits.length;) {
      this.#steps += 1;
      if (this.#steps > most) throw new Error(`it takes more than ${most} commands, which the model does not`);
      const edit = this.#edits[at];
      if (edit === undefined) return true;
      const isMeant = this.#applies(edit);
      const next = isMeant ? this.#do(edit) : edit.verb === "{" ? this.#places.get(edit) : undefined;
      if (typeof next === "boolean") return next;
      at = next ?? at + 1;
    }
    return true;
  }

  #jump(label: string): number {
    return label === "" ? this.#edits.length : (this.#places.get(label) ?? this.#edits.length);
  }

  /** The place to continue at, or that the cycle is over: with what is in the pattern space, or without. `undefined`: the next command. */
  #do(edit: Edit): number | boolean | undefined {
    switch (edit.verb) {
      case "s":
        return this.#substitute(edit);
      case "y":
        this.#space = Array.from(this.#space, (each) => edit.by?.[edit.text.indexOf(each)] ?? each).join("");
        return undefined;
      case "d":
        return false;
      case "c":
        if (edit.to === undefined || !this.#inside.has(edit)) this.#output.push(edit.text);
        return false;
      case "b":
        return this.#jump(edit.text);
      case "t":
      case "T": {
        const [had, wanted] = [this.#hasReplaced, edit.verb === "t"];
        this.#hasReplaced = false;
        return had === wanted ? this.#jump(edit.text) : undefined;
      }
      case "q":
      case "Q":
        this.status = Number(edit.text);
        this.hasQuit = true;
        return edit.verb === "q";
      case "n":
      case "N":
        return this.#next(edit.verb === "N");
      default:
        return this.#keep(edit);
    }
  }

  #substitute(edit: Edit): undefined {
    const result = substituted(edit, this.#space);
    if (result === undefined) return;
    this.#space = result;
    this.#hasReplaced = true;
    if (edit.flags.includes("p")) this.#output.push(result);
  }

  #next(isAdded: boolean): boolean | undefined {
    if (this.#isLast) {
      this.hasQuit = true;
      return true;
    }
    if (!isAdded && !this.#isQuiet) this.#output.push(this.#space);
    this.#endLine();
    const line = this.#lines[this.#number] ?? "";
    this.#number += 1;
    this.#space = isAdded ? `${this.#space}\n${line}` : line;
    return undefined;
  }

  #keep({ text, verb }: Edit): undefined {
    const first = this.#space.split("\n", 1)[0] ?? "";
    if (verb === "p") this.#output.push(this.#space);
    else if (verb === "P") this.#output.push(first);
    else if (verb === "=") this.#output.push(String(this.#number));
    else if (verb === "i") this.#output.push(text);
    else if (verb === "a") this.#after.push(text);
    else if (verb === "h") this.#held = this.#space;
    else if (verb === "H") this.#held += `\n${this.#space}`;
    else if (verb === "g") this.#space = this.#held;
    else if (verb === "G") this.#space += `\n${this.#held}`;
    else if (verb === "x") [this.#space, this.#held] = [this.#held, this.#space];
  }
}

/** The text that commands make of another, and the status of sed. */
export const edited = (
  text: string,
  edits: readonly Edit[],
  isQuiet: boolean,
): { readonly text: string; readonly status: number } => {
  const lines = text.split("\n");
  const hasEnd = lines.at(-1) === "";
  if (hasEnd) lines.pop();
  const editing = new Editing(edits, lines, isQuiet);
  const read = editing.run();
  const { output, status } = editing;
  const end = hasEnd || read < lines.length ? "\n" : "";
  return { text: output.length === 0 ? "" : `${output.join("\n")}${end}`, status };
};
