/** A piece of a word. */
export type Part =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: "parameter";
      readonly name: string;
      /** `[*]`, `[@]` or a number of `${name[...]}`. */
      readonly index?: string;
      readonly isLength?: boolean;
      /** For example `:-`, `#`, `%%`, `/`. */
      readonly operator?: string;
      readonly word?: Word;
      readonly quoted: boolean;
    }
  | { readonly kind: "command"; readonly script: string; readonly quoted: boolean }
  | { readonly kind: "arithmetic"; readonly text: string; readonly quoted: boolean };

export type Word = readonly Part[];

export interface Redirect {
  readonly descriptor: number;
  readonly operator: ">" | ">>" | "<" | "<<" | "<<<" | ">&" | "&>" | "<&";
  readonly target: Word;
}

export interface Assignment {
  readonly name: string;
  readonly isAppending: boolean;
  /** Words of an array, or the value. */
  readonly value: Word | readonly Word[];
  readonly isArray: boolean;
}

interface WithRedirects {
  readonly redirects: readonly Redirect[];
  readonly line: number;
}

/** A command without what is around it. */
export type CommandShape =
  | { readonly type: "simple"; readonly assignments: readonly Assignment[]; readonly words: readonly Word[] }
  | { readonly type: "group" | "subshell"; readonly body: readonly Statement[] }
  | {
      readonly type: "if";
      readonly branches: readonly { readonly test: readonly Statement[]; readonly body: readonly Statement[] }[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly type: "while";
      readonly isUntil: boolean;
      readonly test: readonly Statement[];
      readonly body: readonly Statement[];
    }
  | {
      readonly type: "for";
      readonly name: string;
      /** Absent: the arguments. */
      readonly words?: readonly Word[];
      readonly body: readonly Statement[];
    }
  | {
      readonly type: "case";
      readonly word: Word;
      readonly arms: readonly { readonly patterns: readonly Word[]; readonly body: readonly Statement[] }[];
    }
  | { readonly type: "function"; readonly name: string; readonly body: Command }
  | { readonly type: "condition"; readonly words: readonly Word[] }
  | { readonly type: "arithmetic"; readonly text: string };

export type Command = CommandShape & WithRedirects;

export interface Pipeline {
  readonly isNegated: boolean;
  readonly commands: readonly Command[];
}

/** Pipelines joined by `&&` and `||`. */
export interface Statement {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly pipeline: Pipeline }[];
}

/** The shells that are told apart: `/bin/sh` of Debian and Ubuntu knows less than bash. */
export type Dialect = "bash" | "dash";

/** What is not a program of the shell. */
export class ShellSyntaxError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}
