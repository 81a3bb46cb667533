interface Variables {
  /** The text that a name stands for, an element where it has an index. */
  get(name: string, index?: string): string;
  set(name: string, value: string, index?: string): void;
}

/** Operators of two sides, those that bind least first. */
const levels: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
  ["**"],
];

const divided = (left: number, right: number): number => {
  if (right === 0) throw new Error(`${left}/${right}: division by 0 (error token is "0")`);
  return Math.trunc(left / right);
};

/** Cuts a value to 64 bits, with which shells calculate. */
const bits = (value: bigint): number => Number(BigInt.asIntN(64, value));

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  "||": (left, right) => Number(left !== 0 || right !== 0),
  "&&": (left, right) => Number(left !== 0 && right !== 0),
  "|": (left, right) => bits(BigInt(left) | BigInt(right)),
  "^": (left, right) => bits(BigInt(left) ^ BigInt(right)),
  "&": (left, right) => bits(BigInt(left) & BigInt(right)),
  "==": (left, right) => Number(left === right),
  "!=": (left, right) => Number(left !== right),
  "<=": (left, right) => Number(left <= right),
  ">=": (left, right) => Number(left >= right),
  "<": (left, right) => Number(left < right),
  ">": (left, right) => Number(left > right),
  "<<": (left, right) => bits(BigInt(left) << BigInt(right & 63)),
  ">>": (left, right) => bits(BigInt(left) >> BigInt(right & 63)),
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": divided,
  "%": (left, right) => left - right * divided(left, right),
  "**": (left, right) => left ** right,
};

const token =
  /\s+|(\d+#\w+|0[xX][0-9a-fA-F]+|\d+|[A-Za-z_]\w*|\*\*|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^]=|\|\||&&|[=!<>]=|[-+*/%()<>!=~?:,&|^[\]])/gy;

const tokensOf = (text: string): readonly string[] => {
  const found: string[] = [];
  token.lastIndex = 0;
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) {
      throw new Error(`${text.trim()}: syntax error: operand expected (error token is "${text.slice(at)}")`);
    }
    if (match[1] !== undefined) found.push(match[1]);
  }
  return found;
};

const numberOf = (text: string): number => {
  const [, base, digits = ""] = /^(\d+)#(\w+)$/.exec(text) ?? [];
  if (base !== undefined) return Number.parseInt(digits, Number(base));
  if (/^0[xX]/.test(text)) return Number.parseInt(text, 16);
  if (!/^0\d/.test(text)) return Number(text);
  if (/[89]/.test(text)) throw new Error(`${text}: value too great for base (error token is "${text}")`);
  return Number.parseInt(text, 8);
};

/** Names in one another go no deeper. */
const deepest = 20;

/** Reads an expression from left to right, and calculates it on the way. */
class Calculation {
  readonly #text: string;
  readonly #tokens: readonly string[];
  readonly #variables: Variables;
  readonly #depth: number;
  /** More than 0: what is read has no effect. */
  #skipped = 0;
  #at = 0;

  constructor(text: string, variables: Variables, depth: number) {
    this.#text = text;
    this.#tokens = tokensOf(text);
    this.#variables = variables;
    this.#depth = depth;
    if (depth > deepest) throw new Error(`${text}: expression recursion level exceeded`);
  }

  value(): number {
    if (this.#tokens.length === 0) return 0;
    const value = this.#list();
    if (this.#at < this.#tokens.length) this.#wrong();
    return value;
  }

  #wrong(): never {
    const rest = this.#tokens.slice(this.#at).join(" ");
    throw new Error(`${this.#text.trim()}: syntax error in expression (error token is "${rest}")`);
  }

  #take(sign: string): boolean {
    if (this.#tokens[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) this.#wrong();
  }

  #list(): number {
    let value = this.#choice();
    while (this.#take(",")) value = this.#choice();
    return value;
  }

  #choice(): number {
    const test = this.#level(0);
    if (!this.#take("?")) return test;
    const yes = this.#unless(test === 0, () => this.#choice());
    this.#expect(":");
    const no = this.#unless(test !== 0, () => this.#choice());
    return test === 0 ? no : yes;
  }

  #unless(isSkipped: boolean, read: () => number): number {
    this.#skipped += isSkipped ? 1 : 0;
    try {
      return read();
    } finally {
      this.#skipped -= isSkipped ? 1 : 0;
    }
  }

  #level(depth: number): number {
    const operators = levels[depth];
    if (operators === undefined) return this.#unary();
    let left = this.#level(depth + 1);
    for (;;) {
      const operator = this.#tokens[this.#at] ?? "";
      const operate = operations[operator];
      if (!operators.includes(operator) || operate === undefined) return left;
      this.#at += 1;
      const isDecided = (operator === "||" && left !== 0) || (operator === "&&" && left === 0);
      const right = this.#unless(isDecided, () => this.#level(operator === "**" ? depth : depth + 1));
      left = this.#skipped > 0 ? 0 : operate(left, right);
    }
  }

  #unary(): number {
    const sign = this.#tokens[this.#at] ?? "";
    if (sign === "++" || sign === "--") {
      this.#at += 1;
      return this.#named(sign === "++" ? 1 : -1);
    }
    if (this.#take("-")) return -this.#unary();
    if (this.#take("+")) return this.#unary();
    if (this.#take("!")) return Number(this.#unary() === 0);
    if (this.#take("~")) return ~this.#unary();
    if (this.#take("(")) {
      const inner = this.#list();
      this.#expect(")");
      return inner;
    }
    if (/^\d/.test(sign)) {
      this.#at += 1;
      return numberOf(sign);
    }
    return this.#named(0);
  }

  /** A variable, and what changes it. `before`: what is added before it is read. */
  #named(before: number): number {
    const name = this.#tokens[this.#at] ?? "";
    if (!/^[A-Za-z_]/.test(name)) this.#wrong();
    this.#at += 1;
    const index = this.#take("[") ? String(this.#list()) : undefined;
    if (index !== undefined) this.#expect("]");
    if (this.#take("=")) return this.#set(name, index, this.#choice());
    const value = this.#worth(this.#variables.get(name, index));
    if (before !== 0) return this.#set(name, index, value + before);
    const sign = this.#tokens[this.#at] ?? "";
    if (sign === "++" || sign === "--") {
      this.#at += 1;
      this.#set(name, index, value + (sign === "++" ? 1 : -1));
      return value;
    }
    if (!/^(?:[-+*/%&|^]|<<|>>)=$/.test(sign)) return value;
    this.#at += 1;
    const right = this.#choice();
    const operate = operations[sign.slice(0, -1)];
    return this.#set(name, index, operate === undefined || this.#skipped > 0 ? right : operate(value, right));
  }

  #set(name: string, index: string | undefined, value: number): number {
    if (this.#skipped === 0) this.#variables.set(name, String(value), index);
    return value;
  }

  /** A variable may hold an expression, too. */
  #worth(text: string): number {
    if (/^-?(?:0|[1-9]\d*)?$/.test(text)) return Number(text);
    return new Calculation(text, this.#variables, this.#depth + 1).value();
  }
}

/** The value of `$((...))`. Throws for a text that is not an expression. */
export const arithmetic = (text: string, variables: Variables): number => new Calculation(text, variables, 0).value();
