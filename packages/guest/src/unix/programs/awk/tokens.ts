export interface Token {
  readonly kind: "number" | "text" | "expression" | "name" | "call" | "sign" | "newline" | "end";
  readonly text: string;
  /** Blanks stand before it. */
  readonly isApart: boolean;
}

const sign = /\*\*=|\+\+|--|\+=|-=|\*=|\/=|%=|\^=|\*\*|==|<=|>=|!=|!~|&&|\|\||>>|[{}()[\];,+\-*/%^!<>|?:~$=]/y;

const word = /[A-Za-z_]\w*/y;
const number = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const blank = /(?:[ \t\r]|\\\n|#[^\n]*)*/y;
const quoted = /"((?:\\[^]|[^"\\\n])*)"/y;
const slashed = /\/((?:\\[^]|\[\^?\]?[^\]\n]*\]|[^/\\[\n])+)\//y;

const unescapedText = (text: string): string =>
  text.replace(/\\(["\\/ntr]|\n)/g, (_, sign_: string) => ({ n: "\n", t: "\t", r: "\r", "\n": "" })[sign_] ?? sign_);

/** The words of a program of awk. Throws for what is none. */
export const tokensOf = (program: string): readonly Token[] => {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(program);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  for (;;) {
    const isApart = (take(blank)?.[0] ?? "") !== "";
    if (at >= program.length) break;
    const add = (kind: Token["kind"], text: string): void => void tokens.push({ kind, text, isApart });
    const before = tokens.at(-1);
    const isValue =
      before !== undefined &&
      (["number", "text", "name"].includes(before.kind) || [")", "]", "$", "++", "--"].includes(before.text));
    let found = program.startsWith("\n", at) ? null : isValue ? null : take(slashed);
    if (program[at] === "\n") {
      at += 1;
      add("newline", "\n");
    } else if (found !== null) add("expression", found[1] ?? "");
    else if ((found = take(quoted)) !== null) add("text", unescapedText(found[1] ?? ""));
    else if ((found = take(number)) !== null) add("number", found[0]);
    else if ((found = take(word)) !== null) add(program[at] === "(" ? "call" : "name", found[0]);
    else if ((found = take(sign)) !== null) add("sign", found[0]);
    else throw new Error(`line 1: syntax error at or near ${program.slice(at, at + 1)}`);
  }
  tokens.push({ kind: "end", text: "", isApart: false });
  return tokens;
};
