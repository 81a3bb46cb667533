/** One simple command with its redirections; `join` says when it runs after the one before it. */
export interface SimpleCommand {
  readonly join: "always" | "and" | "or" | "pipe";
  readonly words: readonly string[];
  readonly redirects: readonly { readonly mode: "write" | "append"; readonly path: string }[];
}

/** Commands between braces, which run as one. */
export interface CommandGroup {
  readonly join: SimpleCommand["join"];
  readonly group: readonly ShellCommand[];
}

export type ShellCommand = SimpleCommand | CommandGroup;

type Token = { readonly kind: "word"; readonly text: string } | { readonly kind: "operator"; readonly text: string };

const operators = ["&&", "||", ">>", ";", "|", ">", "<", "&", "\n"] as const;

/** Constructs the model does not execute: substitution, compound commands, here-documents. */
const beyond = /`|\$\(|<<|^\s*(if|for|while|until|case|function)\b|^\s*\(/m;

/**
 * Parses the part of POSIX shell that bootstrap documents use: words, quotes, `&&`, `||`, `;`, pipes, redirections and groups in braces.
 * `undefined` for anything beyond it.
 */
export const parseShell = (line: string): readonly ShellCommand[] | undefined => {
  if (beyond.test(line)) return undefined;
  const tokens = tokenise(line);
  const commands = tokens === undefined ? undefined : assemble(tokens);
  return commands === undefined ? undefined : grouped(commands);
};

/** Puts what stands between braces together; `undefined` when they do not match, or a group has redirections of its own. */
const grouped = (commands: readonly SimpleCommand[]): readonly ShellCommand[] | undefined => {
  const open: { readonly join: SimpleCommand["join"]; readonly group: ShellCommand[] }[] = [
    { join: "always", group: [] },
  ];
  for (const command of commands) {
    const depth = command.words.findIndex((word) => word !== "{");
    const braces = depth < 0 ? command.words.length : depth;
    const words = command.words.slice(braces);
    for (let index = 0; index < braces; index += 1) {
      open.push({ join: index === 0 ? command.join : "always", group: [] });
    }
    if (words[0] === "}") {
      const closed = open.pop();
      const around = open.at(-1);
      if (closed === undefined || around === undefined || words.length + command.redirects.length > 1) return undefined;
      around.group.push(closed);
    } else if (words.length > 0) {
      open.at(-1)?.group.push({ ...command, join: braces > 0 ? "always" : command.join, words });
    }
  }
  return open.length === 1 ? open[0]?.group : undefined;
};

const assemble = (tokens: readonly Token[]): readonly SimpleCommand[] | undefined => {
  const commands: SimpleCommand[] = [];
  let join: SimpleCommand["join"] = "always";
  let words: string[] = [];
  let redirects: { mode: "write" | "append"; path: string }[] = [];
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

const tokenise = (line: string): readonly Token[] | undefined => {
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
      word = (word ?? "") + unquote(line.slice(index + 1, end), character);
      index = end + 1;
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
        if (operator.startsWith(">") && word !== undefined && /^\d$/.test(word)) word = undefined;
        const duplicate = /^>&\d/.exec(line.slice(index));
        endWord();
        if (duplicate === null) tokens.push({ kind: "operator", text: operator });
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

const unquote = (text: string, quote: string): string => (quote === "'" ? text : text.replace(/\\(["\\$`])/g, "$1"));
