/** A piece of a word. */
export type Part =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: "parameter";
      readonly name: string;
      /** `*`, `@`, a number or key of `${name[...]}`. */
      readonly index?: Word;
      readonly isLength?: boolean;
      /** `${!name}`: what the value names, or the keys of an array. */
      readonly isIndirect?: boolean;
      /** For example `:-`, `#`, `%%`, `/`. */
      readonly operator?: string;
      readonly word?: Word;
      readonly quoted: boolean;
    }
  | { readonly kind: "command"; readonly script: string; readonly quoted: boolean }
  /** `<(...)` and `>(...)`. */
  | { readonly kind: "process"; readonly script: string; readonly isRead: boolean; readonly quoted: false }
  | { readonly kind: "arithmetic"; readonly text: Word; readonly quoted: boolean };

export type Word = readonly Part[];

export interface Redirect {
  readonly descriptor: number;
  readonly operator: ">" | ">>" | "<" | "<>" | "<<" | "<<<" | ">&" | "&>" | "&>>" | "<&";
  readonly target: Word;
}

export interface Assignment {
  readonly name: string;
  /** The key of an element. */
  readonly index?: Word;
  readonly isAppending: boolean;
  /** The value, or the elements of an array, some of them with a key. */
  readonly value: Word | readonly ArrayElement[];
  readonly isArray: boolean;
}

export interface ArrayElement {
  readonly index?: Word;
  readonly word: Word;
}

interface WithRedirects {
  readonly redirects: readonly Redirect[];
  readonly line: number;
}

export interface CaseArm {
  readonly patterns: readonly Word[];
  readonly body: readonly Statement[];
  /** Decides about the next arm: it is not looked at, its body is run as well, or its pattern is tried. */
  readonly end: ";;" | ";&" | ";;&";
}

/** A command without what is around it. */
export type CommandShape =
  | {
      readonly type: "simple";
      readonly assignments: readonly Assignment[];
      /** Arguments of `declare` and the like. */
      readonly declared: readonly Assignment[];
      readonly words: readonly Word[];
      /** As it stands in the script. */
      readonly text: string;
    }
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
      readonly type: "count";
      /** Calculated before the first turn, before and after each turn. */
      readonly steps: readonly [start: Word, test: Word, next: Word];
      readonly body: readonly Statement[];
    }
  | { readonly type: "case"; readonly word: Word; readonly arms: readonly CaseArm[] }
  | { readonly type: "function"; readonly name: string; readonly body: Command; readonly text: string }
  | { readonly type: "condition"; readonly words: readonly Word[] }
  | { readonly type: "arithmetic"; readonly text: Word };

export type Command = CommandShape & WithRedirects;

export interface Pipeline {
  readonly isNegated: boolean;
  readonly commands: readonly Command[];
}

/** Pipelines joined by `&&` and `||`. */
export interface Statement {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly pipeline: Pipeline }[];
  /** It ends with `&`. */
  readonly isBackground: boolean;
}

/** The shells that are told apart: `/bin/sh` of Debian and Ubuntu knows less than bash. */
export type Dialect = "bash" | "dash";

/** Error for a text that is not a valid shell script. */
export class ShellSyntaxError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}
