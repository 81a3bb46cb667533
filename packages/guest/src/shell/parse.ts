import { own } from "@capstan/schema";

/** Where the output of a command goes: into a file, or to the errors. */
type Redirect = { readonly mode: "write" | "append"; readonly path: string } | { readonly mode: "errors" };

/** One simple command with its redirections; `join` says when it runs after the one before it. */
export interface SimpleCommand {
  readonly join: "always" | "and" | "or" | "pipe";
  readonly words: readonly string[];
  readonly redirects: readonly Redirect[];
}

/** Commands between braces, which run as one. */
export interface CommandGroup {
  readonly join: SimpleCommand["join"];
  readonly group: readonly ShellCommand[];
}

/** Commands that run again and again until others succeed. */
export interface CommandLoop {
  readonly join: SimpleCommand["join"];
  readonly until: readonly ShellCommand[];
  readonly body: readonly ShellCommand[];
}

export type ShellCommand = SimpleCommand | CommandGroup | CommandLoop;

type Token = { readonly kind: "word"; readonly text: string } | { readonly kind: "operator"; readonly text: string };

const operators = ["&&", "||", ">>", ";", "|", ">", "<", "&", "\n"] as const;

/** Constructs the model does not execute: substitution, most compound commands, here-documents. */
const beyond = /`|\$\(|<<|^\s*(if|for|while|case|function)\b|^\s*\(/m;
const loop = /^\s*until\b/m;

/**
 * Parses the part of POSIX shell that bootstrap documents use: words, quotes, `&&`, `||`, `;`, pipes, redirections and groups in braces.
 * `undefined` for anything beyond it. With `loops`, `until` too, which in a bootstrap document would wait for what is not modelled. With an
 * `environment`, `$NAME` and `${NAME}` are replaced; what they stand for is no more than a part of a word.
 */
export const parseShell = (
  line: string,
  { environment, loops = false }: { readonly environment?: Environment | undefined; readonly loops?: boolean } = {},
): readonly ShellCommand[] | undefined => {
  if (beyond.test(line) || (!loops && loop.test(line))) return undefined;
  const tokens = tokenise(line, environment);
  const commands = tokens === undefined ? undefined : assemble(tokens);
  return commands === undefined ? undefined : new Compounds(commands, loops).all();
};

/** Commands of which reserved words are taken off, so that what stands between them comes together. */
class Compounds {
  readonly #commands: SimpleCommand[];
  readonly #reserved: ReadonlySet<string>;

  constructor(commands: readonly SimpleCommand[], loops: boolean) {
    this.#commands = [...commands];
    this.#reserved = new Set(loops ? ["}", "do", "done"] : ["}"]);
  }

  /** `undefined` when words do not match, or what they enclose has redirections of its own. */
  all(): readonly ShellCommand[] | undefined {
    const found = this.#list();
    return this.#commands.length === 0 ? found : undefined;
  }

  /** Up to a word that ends it, or to the end. */
  #list(): readonly ShellCommand[] | undefined {
    const found: ShellCommand[] = [];
    for (;;) {
      const [next] = this.#commands;
      const [word = ""] = next?.words ?? [];
      if (next === undefined || this.#reserved.has(word)) return found;
      const opens = word === "{" || (word === "until" && this.#reserved.has("do"));
      const command = opens ? this.#compound(word, next.join) : this.#commands.shift();
      if (command === undefined) return undefined;
      found.push(command);
    }
  }

  #compound(word: string, join: SimpleCommand["join"]): ShellCommand | undefined {
    this.#take(word);
    const first = this.#list();
    if (word === "{") return first !== undefined && this.#close("}") ? { join, group: first } : undefined;
    if (first === undefined || !this.#take("do")) return undefined;
    const body = this.#list();
    return body !== undefined && this.#close("done") ? { join, until: first, body } : undefined;
  }

  /** Takes the word off, if it is the next; what follows it is the first of what it encloses. */
  #take(word: string): boolean {
    const [next] = this.#commands;
    if (next?.words[0] !== word) return false;
    const words = next.words.slice(1);
    const isEmpty = words.length === 0 && next.redirects.length === 0;
    this.#commands.splice(0, 1, ...(isEmpty ? [] : [{ ...next, join: "always" as const, words }]));
    return true;
  }

  #close(word: string): boolean {
    const [next] = this.#commands;
    const intoFiles = next?.redirects.filter(({ mode }) => mode !== "errors") ?? [];
    if (next?.words[0] !== word || next.words.length + intoFiles.length > 1) return false;
    this.#commands.shift();
    return true;
  }
}

/** What a command prints goes where its errors go. */
const toErrors = ">&2";

const assemble = (tokens: readonly Token[]): readonly SimpleCommand[] | undefined => {
  const commands: SimpleCommand[] = [];
  let join: SimpleCommand["join"] = "always";
  let words: string[] = [];
  let redirects: Redirect[] = [];
  const finish = (next: SimpleCommand["join"]): void => {
    if (words.length > 0 || redirects.length > 0) commands.push({ join, words, redirects });
    join = next;
    words = [];
    redirects = [];
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.kind === "word") words.push(token.text);
    else if (token.text === "&&") finish("and");
    else if (token.text === "||") finish("or");
    else if (token.text === "|") finish("pipe");
    else if (token.text === ";" || token.text === "\n" || token.text === "&") finish("always");
    else if (token.text === toErrors) redirects.push({ mode: "errors" });
    else {
      const target = tokens[index + 1];
      if (target?.kind !== "word") return undefined;
      if (token.text !== "<") redirects.push({ mode: token.text === ">>" ? "append" : "write", path: target.text });
      index += 1;
    }
  }
  finish("always");
  return commands;
};

/** Values of variables by name. */
type Environment = Readonly<Record<string, string>>;

const variable = /^\$(?:\{(\w+)\}|([A-Za-z_]\w*))/;

const tokenise = (line: string, environment: Environment | undefined): readonly Token[] | undefined => {
  const tokens: Token[] = [];
  let word: string | undefined;
  let index = 0;
  const endWord = (): void => {
    if (word !== undefined) tokens.push({ kind: "word", text: word });
    word = undefined;
  };
  while (index < line.length) {
    const character = line.charAt(index);
    if (character === "'" || character === '"') {
      const end = closing(line, index);
      if (end < 0) return undefined;
      word = (word ?? "") + unquote(line.slice(index + 1, end), character, environment);
      index = end + 1;
    } else if (character === "$" && environment !== undefined && variable.test(line.slice(index))) {
      const [text = "", braced, plain = braced] = variable.exec(line.slice(index)) ?? [];
      word = (word ?? "") + (own(environment, plain ?? "") ?? "");
      index += text.length;
    } else if (character === "\\") {
      word = (word ?? "") + line.charAt(index + 1);
      index += 2;
    } else if (character === "#" && word === undefined) {
      while (index < line.length && line.charAt(index) !== "\n") index += 1;
    } else if (character === " " || character === "\t") {
      endWord();
      index += 1;
    } else {
      const operator = operators.find((candidate) => line.startsWith(candidate, index));
      if (operator === undefined) {
        word = (word ?? "") + character;
        index += 1;
      } else {
        // `2>&1` and `2>file`: the descriptor number belongs to the redirection, and `&1` is not a file.
        const descriptor = operator.startsWith(">") && word !== undefined && /^\d$/.test(word) ? word : undefined;
        if (descriptor !== undefined) word = undefined;
        const duplicate = /^>&\d/.exec(line.slice(index));
        endWord();
        if (duplicate === null) tokens.push({ kind: "operator", text: operator });
        else if (duplicate[0] === toErrors && (descriptor ?? "1") === "1") {
          tokens.push({ kind: "operator", text: toErrors });
        }
        index += duplicate?.[0].length ?? operator.length;
      }
    }
  }
  endWord();
  return tokens;
};

const closing = (line: string, start: number): number => {
  const quote = line.charAt(start);
  for (let index = start + 1; index < line.length; index += 1) {
    if (quote === '"' && line.charAt(index) === "\\") index += 1;
    else if (line.charAt(index) === quote) return index;
  }
  return -1;
};

const unquote = (text: string, quote: string, environment: Environment | undefined): string => {
  if (quote === "'") return text;
  if (environment === undefined) return text.replace(/\\(["\\$`])/g, "$1");
  return text.replace(
    /\\(["\\$`])|\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g,
    (_, escaped?: string, braced?: string, plain?: string) => escaped ?? own(environment, braced ?? plain ?? "") ?? "",
  );
};
