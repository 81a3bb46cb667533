import { formatted } from "../../format.ts";
import { builtin } from "./builtin.ts";
import { Leaving, most } from "./leaving.ts";
import { parseAwk } from "./parse.ts";
import { Patterns, recordsIn } from "./patterns.ts";
import type { AwkProgram, Expression, Statement } from "./tree.ts";
import { calculated, compared, isTrue, numberOf, textOf, type Value } from "./values.ts";

export interface AwkOutside {
  /** The text of a file; `undefined`: there is none. */
  readonly read: (path: string) => string | undefined;
  readonly write: (text: string, to?: { readonly path: string; readonly appends: boolean }) => void;
  readonly variables: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs one program over records. */
class Run {
  readonly #program: AwkProgram;
  readonly #outside: AwkOutside;
  readonly #globals = new Map<string, Value>();
  readonly #arrays = new Map<string, Map<string, Value>>();
  readonly #files = new Map<string, string[]>();
  readonly #open = new Set<string>();
  readonly #patterns = new Patterns();
  #frame: Map<string, Value> | undefined;
  #aliases: ReadonlyMap<string, string> = new Map();
  #record = "";
  #fields: string[] = [];
  #turns = 0;
  #frames = 0;

  constructor(program: AwkProgram, outside: AwkOutside) {
    this.#program = program;
    this.#outside = outside;
    const usual = { FS: " ", OFS: " ", ORS: "\n", RS: "\n", SUBSEP: "\u001C", CONVFMT: "%.6g", OFMT: "%.6g" };
    for (const [name, value] of Object.entries(usual)) this.#globals.set(name, value);
    for (const [name, value] of Object.entries(outside.variables)) this.#globals.set(name, { input: value });
    this.#arrays.set(
      "ENVIRON",
      new Map(Object.entries(outside.environment).map(([key, text]) => [key, { input: text }])),
    );
  }

  /** The status that it ends with. */
  run(inputs: readonly { readonly name: string; readonly text: string }[]): number {
    let status = 0;
    const guarded = (work: () => void): boolean => {
      try {
        work();
        return true;
      } catch (error) {
        if (!(error instanceof Leaving) || error.how !== "exit") throw error;
        status = numberOf(error.value) & 255;
        return false;
      }
    };
    const isGoing = guarded(() => this.#program.begin.forEach((body) => this.#do(body)));
    if (isGoing && this.#program.rules.length + this.#program.end.length > 0) guarded(() => this.#records(inputs));
    guarded(() => this.#program.end.forEach((body) => this.#do(body)));
    return status;
  }

  #records(inputs: readonly { readonly name: string; readonly text: string }[]): void {
    const inside = this.#program.rules.map(() => false);
    let count = 0;
    for (const { name, text } of inputs) {
      this.#globals.set("FILENAME", name);
      for (const [index, record] of recordsIn(text, this.#text("RS")).entries()) {
        count += 1;
        this.#globals.set("NR", count);
        this.#globals.set("FNR", index + 1);
        this.#setRecord(record);
        try {
          for (const [at, rule] of this.#program.rules.entries()) {
            if (!this.#applies(rule, at, inside)) continue;
            if (rule.body === undefined) this.#outside.write(`${this.#record}${this.#text("ORS")}`);
            else this.#do(rule.body);
          }
        } catch (error) {
          if (!(error instanceof Leaving) || error.how !== "next") throw error;
        }
      }
    }
  }

  #applies(rule: AwkProgram["rules"][number], at: number, inside: boolean[]): boolean {
    if (rule.from === undefined) return true;
    if (rule.to === undefined) return isTrue(this.#value(rule.from));
    if (inside[at] !== true && !isTrue(this.#value(rule.from))) return false;
    inside[at] = !isTrue(this.#value(rule.to));
    return true;
  }

  #text(name: string): string {
    return textOf(this.#globals.get(name) ?? "", "%.6g");
  }

  #setRecord(record: string): void {
    this.#record = record;
    this.#fields = this.#patterns.pieces(record, this.#text("FS"));
    this.#globals.set("NF", this.#fields.length);
  }

  #source(expression: Expression): string {
    return expression.kind === "expression" ? expression.source : this.#string(expression);
  }

  #string(expression: Expression): string {
    return textOf(this.#value(expression), this.#text("CONVFMT"));
  }

  #number(expression: Expression): number {
    return numberOf(this.#value(expression));
  }

  #array(name: string): Map<string, Value> {
    const key = this.#aliases.get(name) ?? name;
    const known = this.#arrays.get(key);
    if (known !== undefined) return known;
    const array = new Map<string, Value>();
    this.#arrays.set(key, array);
    return array;
  }

  #key(keys: readonly Expression[]): string {
    return keys.map((key) => this.#string(key)).join(this.#text("SUBSEP"));
  }

  #set(target: Expression, value: Value): Value {
    if (target.kind === "name") {
      if (this.#frame?.has(target.name) === true) this.#frame.set(target.name, value);
      else this.#globals.set(target.name, value);
      if (target.name === "NF") {
        const count = numberOf(value);
        this.#fields = Array.from({ length: count }, (_, index) => this.#fields[index] ?? "");
        this.#record = this.#fields.join(this.#text("OFS"));
      }
    } else if (target.kind === "element") this.#array(target.name).set(this.#key(target.keys), value);
    else if (target.kind === "field") {
      const index = this.#number(target.of);
      const text = textOf(value, this.#text("CONVFMT"));
      if (index === 0) this.#setRecord(text);
      else {
        while (this.#fields.length < index) this.#fields.push("");
        this.#fields[index - 1] = text;
        this.#globals.set("NF", this.#fields.length);
        this.#record = this.#fields.join(this.#text("OFS"));
      }
    }
    return value;
  }

  #value(expression: Expression): Value {
    switch (expression.kind) {
      case "number":
      case "text":
        return expression.value;
      case "expression":
        return Number(this.#patterns.of(expression.source).matcher(this.#record).find());
      case "field": {
        const index = this.#number(expression.of);
        return index === 0 ? { input: this.#record } : { input: this.#fields[index - 1] ?? "" };
      }
      case "name":
        return this.#frame?.get(expression.name) ?? this.#globals.get(expression.name) ?? { input: "" };
      case "element": {
        const array = this.#array(expression.name);
        const key = this.#key(expression.keys);
        if (!array.has(key)) array.set(key, { input: "" });
        return array.get(key) ?? "";
      }
      case "in":
        return Number(this.#array(expression.name).has(this.#key(expression.keys)));
      case "unary": {
        if (expression.operator === "!") return Number(!isTrue(this.#value(expression.of)));
        const number = this.#number(expression.of);
        return expression.operator === "-" ? -number : number;
      }
      case "choice":
        return this.#value(isTrue(this.#value(expression.test)) ? expression.yes : expression.no);
      case "step": {
        const before = this.#number(expression.target);
        this.#set(expression.target, before + expression.by);
        return expression.isBefore ? before + expression.by : before;
      }
      case "assign": {
        const { operator, target, value } = expression;
        if (operator === "") return this.#set(target, this.#value(value));
        const right = this.#number(value);
        return this.#set(target, calculated(operator, this.#number(target), right));
      }
      case "binary":
        return this.#binary(expression);
      case "call":
        return this.#call(expression.name, expression.args);
      case "getline":
        return this.#getline(expression);
    }
  }

  #binary({ left, operator, right }: Extract<Expression, { kind: "binary" }>): Value {
    if (operator === "&&") return Number(isTrue(this.#value(left)) && isTrue(this.#value(right)));
    if (operator === "||") return Number(isTrue(this.#value(left)) || isTrue(this.#value(right)));
    if (operator === " ") return this.#string(left) + this.#string(right);
    if (operator === "~" || operator === "!~") {
      const text = this.#string(left);
      return Number(this.#patterns.of(this.#source(right)).matcher(text).find() === (operator === "~"));
    }
    const [one, other] = [this.#value(left), this.#value(right)];
    if (/^[<>=!]/.test(operator)) return Number(compared(one, other, operator, this.#text("CONVFMT")));
    return calculated(operator, numberOf(one), numberOf(other));
  }

  #getline({ file, target }: Extract<Expression, { kind: "getline" }>): Value {
    if (file === undefined) return 0;
    const path = this.#string(file);
    if (!this.#files.has(path)) {
      const text = this.#outside.read(path);
      if (text === undefined) return -1;
      this.#files.set(path, [...recordsIn(text, this.#text("RS"))]);
    }
    const line = this.#files.get(path)?.shift();
    if (line === undefined) return 0;
    if (target === undefined) this.#setRecord(line);
    else this.#set(target, { input: line });
    return 1;
  }

  #call(name: string, args: readonly Expression[]): Value {
    const own = this.#program.functions.get(name);
    if (own !== undefined) return this.#function(own, args);
    const text = (at: number): string => (args[at] === undefined ? this.#record : this.#string(args[at]));
    const number = (at: number): number => (args[at] === undefined ? 0 : this.#number(args[at]));
    const first = args[0];
    switch (name) {
      case "length":
        return first?.kind === "name" && this.#arrays.has(this.#aliases.get(first.name) ?? first.name)
          ? this.#array(first.name).size
          : Array.from(text(0)).length;
      case "split":
        return this.#splitInto(args);
      case "sub":
      case "gsub":
        return this.#substitute(args, name === "gsub");
      case "match":
        return this.#match(text(0), args[1]);
      case "sprintf": {
        const values = args.slice(1).map((each) => this.#string(each));
        return formatted(text(0), values, { isOnce: true });
      }
      default:
        return builtin(name, text, number, args.length);
    }
  }

  #function(own: { readonly names: readonly string[]; readonly body: Statement }, args: readonly Expression[]): Value {
    const frame = new Map<string, Value>();
    const aliases = new Map<string, string>();
    this.#frames += 1;
    if (this.#frames > 500) throw new Error("function calls nested too deeply");
    for (const [index, name] of own.names.entries()) {
      const given = args[index];
      const isArray =
        given?.kind === "name" &&
        (this.#arrays.has(this.#aliases.get(given.name) ?? given.name) ||
          (!this.#globals.has(given.name) && this.#frame?.has(given.name) !== true));
      if (isArray) aliases.set(name, this.#aliases.get(given.name) ?? given.name);
      else if (given === undefined) aliases.set(name, `\0${this.#frames}${name}`);
      if (!isArray) frame.set(name, given === undefined ? { input: "" } : this.#value(given));
    }
    const before = [this.#frame, this.#aliases] as const;
    [this.#frame, this.#aliases] = [frame, aliases];
    try {
      this.#do(own.body);
      return { input: "" };
    } catch (error) {
      if (error instanceof Leaving && error.how === "return") return error.value;
      throw error;
    } finally {
      for (const key of aliases.values()) if (key.startsWith("\0")) this.#arrays.delete(key);
      [this.#frame, this.#aliases] = before;
      this.#frames -= 1;
    }
  }

  #splitInto(args: readonly Expression[]): Value {
    const [text, name, by] = args;
    if (text === undefined || name?.kind !== "name") return 0;
    const pieces = this.#patterns.pieces(this.#string(text), by === undefined ? this.#text("FS") : this.#source(by));
    const array = this.#array(name.name);
    array.clear();
    for (const [index, piece] of pieces.entries()) array.set(String(index + 1), { input: piece });
    return pieces.length;
  }

  #substitute(
    [source, by, target = { kind: "field", of: { kind: "number", value: 0 } }]: readonly Expression[],
    all: boolean,
  ): Value {
    if (source === undefined || by === undefined) return 0;
    const matcher = this.#patterns.of(this.#source(source)).matcher(this.#string(target));
    const text = this.#string(target);
    const replacement = this.#string(by);
    let [result, from, count] = ["", 0, 0];
    while (matcher.find()) {
      count += 1;
      const matched = matcher.group(0) ?? "";
      result +=
        text.slice(from, matcher.start()) +
        replacement.replace(/\\\\&|\\&|&/g, (sign) => (sign === "&" ? matched : "&"));
      from = matcher.end();
      if (!all) break;
    }
    if (count > 0) this.#set(target, result + text.slice(from));
    return count;
  }

  #match(text: string, pattern: Expression | undefined): Value {
    const matcher = this.#patterns.of(pattern === undefined ? "" : this.#source(pattern)).matcher(text);
    const isFound = matcher.find();
    this.#globals.set("RSTART", isFound ? matcher.start() + 1 : 0);
    this.#globals.set("RLENGTH", isFound ? matcher.end() - matcher.start() : -1);
    return isFound ? matcher.start() + 1 : 0;
  }

  #do(statement: Statement): void {
    this.#turns += 1;
    if (this.#turns > most) throw new Error(`the program takes more than ${most} steps, which the model does not`);
    switch (statement.kind) {
      case "expression":
        this.#value(statement.of);
        return;
      case "print":
        return this.#print(statement);
      case "if":
        if (isTrue(this.#value(statement.test))) this.#do(statement.yes);
        else if (statement.no !== undefined) this.#do(statement.no);
        return;
      case "while":
        if (statement.isAfter && !this.#turn(statement.body)) return;
        while (isTrue(this.#value(statement.test))) if (!this.#turn(statement.body)) return;
        return;
      case "for":
        if (statement.start !== undefined) this.#do(statement.start);
        while (statement.test === undefined || isTrue(this.#value(statement.test))) {
          if (!this.#turn(statement.body)) return;
          if (statement.next !== undefined) this.#do(statement.next);
        }
        return;
      case "each":
        for (const key of Array.from(this.#array(statement.of).keys())) {
          this.#set({ kind: "name", name: statement.name }, { input: key });
          if (!this.#turn(statement.body)) return;
        }
        return;
      case "block":
        for (const each of statement.body) this.#do(each);
        return;
      case "delete":
        if (statement.keys === undefined) this.#array(statement.name).clear();
        else this.#array(statement.name).delete(this.#key(statement.keys));
        return;
      default:
        throw new Leaving(statement.how, statement.value === undefined ? 0 : this.#value(statement.value));
    }
  }

  /** One turn of a loop; false: it was the last. */
  #turn(body: Statement): boolean {
    try {
      this.#do(body);
      return true;
    } catch (error) {
      if (!(error instanceof Leaving) || (error.how !== "break" && error.how !== "continue")) throw error;
      return error.how === "continue";
    }
  }

  #print({ isFormatted, to, values }: Extract<Statement, { kind: "print" }>): void {
    const texts = values.map((value) => textOf(this.#value(value), this.#text(isFormatted ? "CONVFMT" : "OFMT")));
    const text = isFormatted
      ? formatted(texts[0] ?? "", texts.slice(1), { isOnce: true })
      : `${values.length === 0 ? this.#record : texts.join(this.#text("OFS"))}${this.#text("ORS")}`;
    if (to === undefined) return this.#outside.write(text);
    if (to.operator === "|") throw new Error("the model runs no commands from awk");
    const path = this.#string(to.file);
    this.#outside.write(text, { path, appends: to.operator === ">>" || this.#open.has(path) });
    this.#open.add(path);
  }
}

/** Runs a program of awk over texts. Returns its status; throws for what is no program. */
export const runAwk = (
  text: string,
  inputs: readonly { readonly name: string; readonly text: string }[],
  outside: AwkOutside,
): number => new Run(parseAwk(text), outside).run(inputs);
