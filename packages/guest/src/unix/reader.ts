import { type Dialect, type Part, type Redirect, ShellSyntaxError, type Word } from "./syntax.ts";

interface PendingDocument {
  readonly end: string;
  readonly isStripped: boolean;
  readonly isLiteral: boolean;
  readonly fill: (word: Word) => void;
}

/** Words nest no deeper in one another. */
const deepest = 50;

/** Characters that end a word. */
const ends = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);

const plain = /[^\s;&|<>()'"$`\\}]+/y;

const simpleName = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/;

/** Reads the words of a script from left to right. */
export class Reader {
  readonly text: string;
  readonly dialect: Dialect;
  at = 0;
  line: number;
  readonly #documents: PendingDocument[] = [];
  readonly #depth: number;

  constructor(text: string, options: { readonly dialect: Dialect; readonly line?: number; readonly depth?: number }) {
    this.text = text;
    this.dialect = options.dialect;
    this.line = options.line ?? 1;
    this.#depth = options.depth ?? 0;
    if (this.#depth > deepest) throw this.problem("is nested too deeply");
  }

  problem(message: string): ShellSyntaxError {
    return new ShellSyntaxError(message, this.line);
  }

  get isOver(): boolean {
    return this.at >= this.text.length;
  }

  peek(length = 1): string {
    return this.text.slice(this.at, this.at + length);
  }

  /** Takes the text off if it comes next. */
  take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    for (const character of text) if (character === "\n") this.line += 1;
    this.at += text.length;
    return true;
  }

  /** Past spaces and comments, within a line. */
  skipBlanks(): void {
    for (;;) {
      if (this.take(" ") || this.take("\t") || this.take("\\\n")) continue;
      if (this.peek() === "#") while (!this.isOver && this.peek() !== "\n") this.at += 1;
      return;
    }
  }

  /** Takes the end of a line, and the here-documents that begin after it. */
  takeNewline(): boolean {
    if (!this.take("\n")) return false;
    for (const document of this.#documents.splice(0)) this.#readDocument(document);
    return true;
  }

  /** The here-document of a redirection comes after its line. */
  expectDocument(document: PendingDocument): void {
    this.#documents.push(document);
  }

  #readDocument({ end, isStripped, isLiteral, fill }: PendingDocument): void {
    const first = this.line;
    let body = "";
    while (!this.isOver) {
      const newline = this.text.indexOf("\n", this.at);
      const stop = newline < 0 ? this.text.length : newline;
      const raw = this.text.slice(this.at, stop);
      const line = isStripped ? raw.replace(/^\t+/, "") : raw;
      this.at = newline < 0 ? stop : stop + 1;
      this.line += 1;
      if (line === end) break;
      body += `${line}\n`;
    }
    if (isLiteral) fill([{ kind: "text", text: body, quoted: true }]);
    else fill(this.#nested(body, first).quotedParts(undefined));
  }

  #nested(text: string, line = this.line): Reader {
    return new Reader(text, { dialect: this.dialect, line, depth: this.#depth + 1 });
  }

  /** The next word; `undefined` where none begins. */
  word(): Word | undefined {
    const parts: Part[] = [];
    const start = this.at;
    while (!this.isOver && !ends.has(this.peek())) this.#readPart(parts);
    return this.at === start ? undefined : parts;
  }

  #readPart(parts: Part[]): void {
    const character = this.peek();
    if (character === "'") parts.push({ kind: "text", text: this.#single(), quoted: true });
    else if (character === '"') {
      this.at += 1;
      const inner = this.quotedParts('"');
      parts.push(...(inner.length === 0 ? [{ kind: "text" as const, text: "", quoted: true }] : inner));
    } else if (this.dialect === "bash" && this.text.startsWith("$'", this.at)) {
      this.at += 1;
      parts.push({ kind: "text", text: unescaped(this.#single(true)), quoted: true });
    } else if (character === "$" || character === "`") this.#dollar(parts, false);
    else if (character === "\\") {
      this.at += 1;
      if (!this.take("\n") && !this.isOver) {
        parts.push({ kind: "text", text: this.peek(), quoted: true });
        this.at += 1;
      }
    } else {
      plain.lastIndex = this.at;
      const [text = character] = plain.exec(this.text) ?? [];
      const before = parts.at(-1);
      if (before?.kind === "text" && !before.quoted) parts.splice(-1, 1, { ...before, text: before.text + text });
      else parts.push({ kind: "text", text, quoted: false });
      this.at += text.length;
    }
  }

  #single(escapes = false): string {
    const start = this.at + 1;
    let end = start;
    while (end < this.text.length && this.text[end] !== "'") end += escapes && this.text[end] === "\\" ? 2 : 1;
    if (end >= this.text.length) throw this.problem("Unterminated quoted string");
    const inner = this.text.slice(start, end);
    this.line += inner.split("\n").length - 1;
    this.at = end + 1;
    return inner;
  }

  /** What stands between double quotes or in a here-document (`undefined`), past its end. */
  quotedParts(end: '"' | undefined): Word {
    const parts: Part[] = [];
    let text = "";
    const flush = (): void => {
      if (text !== "") parts.push({ kind: "text", text, quoted: true });
      text = "";
    };
    for (;;) {
      const character = this.peek();
      if (this.isOver) {
        if (end !== undefined) throw this.problem("Unterminated quoted string");
        break;
      }
      if (character === end) {
        this.at += 1;
        break;
      }
      if (character === "\\" && '$`\\\n"'.includes(this.peek(2).charAt(1))) {
        const escaped = this.peek(2).charAt(1);
        if (escaped === '"' && end === undefined) text += "\\";
        if (escaped === "\n") this.line += 1;
        else text += escaped;
        this.at += 2;
      } else if (character === "$" || character === "`") {
        flush();
        this.#dollar(parts, true);
      } else {
        if (character === "\n") this.line += 1;
        text += character;
        this.at += 1;
      }
    }
    flush();
    return parts;
  }

  #dollar(parts: Part[], quoted: boolean): void {
    if (this.peek() === "`") parts.push({ kind: "command", script: this.#backquoted(), quoted });
    else if (this.text.startsWith("$((", this.at)) {
      const end = this.text.indexOf("))", this.at);
      if (end < 0) throw this.problem("Missing '))'");
      parts.push({ kind: "arithmetic", text: this.text.slice(this.at + 3, end), quoted });
      this.at = end + 2;
    } else if (this.text.startsWith("$(", this.at)) {
      const end = this.#closing(this.at + 1);
      parts.push({ kind: "command", script: this.text.slice(this.at + 2, end), quoted });
      this.#passTo(end + 1);
    } else if (this.text.startsWith("${", this.at)) parts.push(this.#braced(quoted));
    else {
      const [name] = simpleName.exec(this.text.slice(this.at + 1, this.at + 200)) ?? [];
      if (name === undefined) parts.push({ kind: "text", text: "$", quoted });
      else parts.push({ kind: "parameter", name, quoted });
      this.at += 1 + (name?.length ?? 0);
    }
  }

  #passTo(end: number): void {
    this.line += this.text.slice(this.at, end).split("\n").length - 1;
    this.at = end;
  }

  #backquoted(): string {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== "`") end += this.text[end] === "\\" ? 2 : 1;
    if (end >= this.text.length) throw this.problem("EOF in backquote substitution");
    const inner = this.text.slice(this.at + 1, end).replace(/\\([`\\$])/g, "$1");
    this.#passTo(end + 1);
    return inner;
  }

  /** Where the parenthesis at `start` closes. */
  #closing(start: number): number {
    let depth = 0;
    let quote = "";
    for (let index = start; index < this.text.length; index += 1) {
      const character = this.text.charAt(index);
      if (quote !== "'" && character === "\\") index += 1;
      else if (quote !== "") quote = character === quote ? "" : quote;
      else if (character === "'" || character === '"') quote = character;
      else if (character === "(") depth += 1;
      else if (character === ")" && (depth -= 1) === 0) return index;
    }
    throw this.problem('unexpected end of file (expecting ")")');
  }

  #braced(quoted: boolean): Part {
    this.at += 2;
    const rest = this.text.slice(this.at, this.at + 200);
    const isLength = /^#(?:\w|@|\*)/.test(rest);
    if (isLength) this.at += 1;
    const [name] = simpleName.exec(this.text.slice(this.at, this.at + 200)) ?? [];
    if (name === undefined) throw this.problem("Bad substitution");
    this.at += name.length;
    const [index] = /^\[[^\]]*\]/.exec(this.text.slice(this.at, this.at + 100)) ?? [];
    this.at += index?.length ?? 0;
    const place = index === undefined ? {} : { index: index.slice(1, -1) };
    if (this.take("}")) return { kind: "parameter", name, ...place, ...(isLength && { isLength }), quoted };
    const [operator] = /^(?::[-=?+]|[-=?+]|##?|%%?|\/\/?|:|\^\^?|,,?)/.exec(this.peek(2)) ?? [];
    if (operator === undefined) throw this.problem("Bad substitution");
    this.at += operator.length;
    const word = this.#untilBrace(quoted);
    return { kind: "parameter", name, ...place, operator, word, quoted };
  }

  #untilBrace(quoted: boolean): Word {
    const parts: Part[] = [];
    while (!this.take("}")) {
      if (this.isOver) throw this.problem("Missing '}'");
      if (quoted && this.peek() === "'") {
        parts.push({ kind: "text", text: "'", quoted });
        this.at += 1;
      } else this.#readPart(parts);
    }
    return parts;
  }
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  e: "\u001B",
};

/** `\n` and the like of `$'...'`, `printf` and `echo -e`. */
export const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|(.))/g,
    (whole, hex?: string, octal?: string, plain?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return escapes[plain ?? ""] ?? whole;
    },
  );

/** A redirection that begins here, with the words of its here-document to come. */
export const readRedirect = (reader: Reader): Redirect | undefined => {
  const [found, digits = ""] = /^(\d?)(?:&>>?|>>|>\||>&|<<<|<<-?|<&|>|<)/.exec(reader.peek(4)) ?? [];
  if (found === undefined) return undefined;
  const sign = found.slice(digits.length);
  reader.at += found.length;
  reader.skipBlanks();
  const target = reader.word();
  if (target === undefined) throw reader.problem("Syntax error: newline unexpected");
  const descriptor = digits === "" ? (sign.startsWith("<") ? 0 : 1) : Number(digits);
  if (sign !== "<<" && sign !== "<<-") {
    const operator = sign === ">|" ? ">" : sign === "&>>" ? "&>" : (sign as Redirect["operator"]);
    return { descriptor, operator, target };
  }
  const end = target.map((part) => (part.kind === "text" ? part.text : "")).join("");
  const redirect: { descriptor: number; operator: "<<"; target: Word } = { descriptor, operator: "<<", target: [] };
  reader.expectDocument({
    end,
    isStripped: sign === "<<-",
    isLiteral: target.some(({ quoted }) => quoted),
    fill: (word) => void (redirect.target = word),
  });
  return redirect;
};
