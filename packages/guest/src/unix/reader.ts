import { unescaped } from "./escapes.ts";
import { type Dialect, type Part, ShellSyntaxError, type Word } from "./syntax.ts";

interface PendingDocument {
  readonly end: string;
  readonly isStripped: boolean;
  readonly isLiteral: boolean;
  readonly fill: (word: Word) => void;
}

export interface ReaderOptions {
  readonly dialect: Dialect;
  readonly line?: number;
  readonly depth?: number;
  /** Returns whether words may have patterns as `+(a|b)`. Default: they may not. */
  readonly hasExtendedPatterns?: () => boolean;
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
  readonly #options: ReaderOptions;

  constructor(text: string, options: ReaderOptions) {
    this.text = text;
    this.dialect = options.dialect;
    this.line = options.line ?? 1;
    this.#options = options;
    if ((options.depth ?? 0) > deepest) throw this.problem("is nested too deeply");
  }

  problem(message: string, line = this.line): ShellSyntaxError {
    return new ShellSyntaxError(message, line);
  }

  /** Returns the error for a word that has no place there. `wanted`: the word that was to come, which dash names. */
  unexpected(wanted?: string): ShellSyntaxError {
    if (this.dialect === "dash") {
      const word = this.isOver ? "end of file" : JSON.stringify(this.#next());
      return this.problem(
        `Syntax error: ${word} unexpected${wanted === undefined ? "" : ` (expecting ${JSON.stringify(wanted)})`}`,
      );
    }
    if (this.isOver) {
      return this.problem("syntax error: unexpected end of file", this.line + (this.text.endsWith("\n") ? 0 : 1));
    }
    const begin = this.text.lastIndexOf("\n", this.at - 1) + 1;
    const [line = ""] = this.text.slice(begin).split("\n", 1);
    return this.problem(`syntax error near unexpected token \`${this.#next()}'\0\`${line}'`);
  }

  #next(): string {
    return /^(?:\w+|\n|;;|&&|\|\||.)/.exec(this.peek(20))?.[0].replace("\n", "newline") ?? "";
  }

  /** A quote that is never closed begins at a line. */
  #unclosed(quote: string, line: number): ShellSyntaxError {
    if (this.dialect === "dash") return this.problem("Syntax error: Unterminated quoted string");
    return this.problem(`unexpected EOF while looking for matching \`${quote}'`, line);
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
    return new Reader(text, { ...this.#options, line, depth: (this.#options.depth ?? 0) + 1 });
  }

  /** The next word; `undefined` where none begins. */
  word({ isPattern = false } = {}): Word | undefined {
    const parts: Part[] = [];
    const start = this.at;
    const isExtended = isPattern || this.#options.hasExtendedPatterns?.() === true;
    for (;;) {
      if (isExtended && /^[@!+*?]\(/.test(this.peek(2))) this.#extendedPattern(parts);
      else if (this.dialect === "bash" && /^[<>]\(/.test(this.peek(2))) this.#process(parts);
      else if (this.isOver || ends.has(this.peek())) break;
      else this.#readPart(parts, isExtended);
    }
    return this.at === start ? undefined : parts;
  }

  #extendedPattern(parts: Part[]): void {
    const end = this.#closing(this.at + 1);
    const body = this.#nested(this.text.slice(this.at + 2, end));
    parts.push({ kind: "text", text: this.peek(2), quoted: false });
    while (!body.isOver) {
      if (/^[|()\s]/.test(body.peek())) {
        parts.push({ kind: "text", text: body.peek(), quoted: false });
        body.at += 1;
      } else body.#readPart(parts, true);
    }
    parts.push({ kind: "text", text: ")", quoted: false });
    this.#passTo(end + 1);
  }

  #process(parts: Part[]): void {
    const end = this.#closing(this.at + 1);
    const script = this.text.slice(this.at + 2, end);
    parts.push({ kind: "process", script, isRead: this.peek() === "<", quoted: false });
    this.#passTo(end + 1);
  }

  #readPart(parts: Part[], isExtended = false): void {
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
      const [found = character] = plain.exec(this.text) ?? [];
      // A pattern in brackets may follow the last character.
      const text = isExtended && found.length > 1 && /[@!+*?]$/.test(found) ? found.slice(0, -1) : found;
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
    if (end >= this.text.length) throw this.#unclosed("'", this.line);
    const inner = this.text.slice(start, end);
    this.line += inner.split("\n").length - 1;
    this.at = end + 1;
    return inner;
  }

  /** Reads the content of double quotes or of a here-document (`undefined`), and moves past its end. */
  quotedParts(end: '"' | undefined): Word {
    const parts: Part[] = [];
    const { line } = this;
    let text = "";
    const flush = (): void => {
      if (text !== "") parts.push({ kind: "text", text, quoted: true });
      text = "";
    };
    for (;;) {
      const character = this.peek();
      if (this.isOver) {
        if (end !== undefined) throw this.#unclosed(end, line);
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
    else if (this.text.startsWith("$(", this.at)) {
      const end = this.#closing(this.at + 1);
      const isSum =
        this.text.startsWith("$((", this.at) && this.text[end - 1] === ")" && this.#closing(this.at + 2) === end - 1;
      const inner = this.text.slice(this.at + (isSum ? 3 : 2), isSum ? end - 1 : end);
      if (isSum) parts.push({ kind: "arithmetic", text: this.expression(inner), quoted });
      else parts.push({ kind: "command", script: inner, quoted });
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

  /** Reads an arithmetic expression, whose parts are expanded as between double quotes. */
  expression(text: string): Word {
    return this.#nested(text).quotedParts(undefined);
  }

  /** The text in the double parentheses that begin here, past them; `undefined`: they are two of one each. */
  takeDouble(): string | undefined {
    const end = this.#closing(this.at);
    if (this.text[end - 1] !== ")" || this.#closing(this.at + 1) !== end - 1) return undefined;
    const inner = this.text.slice(this.at + 2, end - 1);
    this.#passTo(end + 1);
    return inner;
  }

  /** Where the parenthesis at `start` closes. Those after the patterns of a `case` close nothing. */
  #closing(start: number): number {
    let depth = 0;
    const cases: number[] = [];
    const sign = /\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|(?<=\s)#[^\n]*|\$#|\bcase\b(?=[^\n]*\sin\b)|\besac\b|[()]/g;
    sign.lastIndex = start;
    for (let found = sign.exec(this.text); found !== null; found = sign.exec(this.text)) {
      const [text] = found;
      if (text === "case") cases.push(depth);
      else if (text === "esac") cases.pop();
      else if (text === "(") depth += 1;
      else if (text === ")" && cases.at(-1) !== depth) {
        depth -= 1;
        if (depth === 0) return found.index;
      }
    }
    throw this.dialect === "bash"
      ? this.#unclosed(")", this.line)
      : this.problem('Syntax error: end of file unexpected (expecting ")")');
  }

  #braced(quoted: boolean): Part {
    this.at += 2;
    const isLength = /^#(?:\w|@|\*)/.test(this.peek(2));
    const isIndirect = this.dialect === "bash" && /^!(?:\w|@)/.test(this.peek(2));
    if (isLength || isIndirect) this.at += 1;
    const [name] = simpleName.exec(this.text.slice(this.at, this.at + 200)) ?? [];
    if (name === undefined) throw this.problem("Bad substitution");
    this.at += name.length;
    const index = this.index();
    const place = {
      kind: "parameter" as const,
      name,
      ...(index !== undefined && { index }),
      ...(isLength && { isLength }),
      ...(isIndirect && { isIndirect }),
      quoted,
    };
    if (this.take("}")) return place;
    const [operator] = /^(?::[-=?+]|[-=?+]|##?|%%?|\/\/?|:|\^\^?|,,?|@)/.exec(this.peek(2)) ?? [];
    if (operator === undefined) throw this.problem("Bad substitution");
    this.at += operator.length;
    return { ...place, operator, word: this.#untilBrace(quoted) };
  }

  /** The key in brackets that begins here, past them. */
  index(): Word | undefined {
    const [whole] =
      /^\[(?:"[^"]*"|'[^']*'|\$\{[^}]*\}|\$\([^)]*\)|\[[^\]]*\]|[^\]])+\]/.exec(
        this.text.slice(this.at, this.at + 300),
      ) ?? [];
    if (whole === undefined || this.dialect === "dash") return undefined;
    this.at += whole.length;
    const inner = this.#nested(whole.slice(1, -1));
    const parts: Part[] = [];
    while (!inner.isOver) inner.#readAny(parts);
    return parts;
  }

  #readAny(parts: Part[]): void {
    if (!ends.has(this.peek()) && this.peek() !== "}") return this.#readPart(parts);
    parts.push({ kind: "text", text: this.peek(), quoted: true });
    if (this.peek() === "\n") this.line += 1;
    this.at += 1;
  }

  #untilBrace(quoted: boolean): Word {
    const parts: Part[] = [];
    while (!this.take("}")) {
      if (this.isOver) throw this.problem("Missing '}'");
      if (quoted && this.peek() === "'") {
        parts.push({ kind: "text", text: "'", quoted });
        this.at += 1;
      } else if (ends.has(this.peek())) {
        parts.push({ kind: "text", text: this.peek(), quoted: false });
        this.at += 1;
      } else this.#readPart(parts);
    }
    return parts;
  }
}
