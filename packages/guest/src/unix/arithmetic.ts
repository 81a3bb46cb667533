interface Variables {
  get(name: string): string;
  set(name: string, value: string): void;
}

const binary: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["+", "-"],
  ["*", "/", "%"],
];

const apply = (operator: string, left: number, right: number): number => {
  const results: Readonly<Record<string, () => number>> = {
    "||": () => Number(left !== 0 || right !== 0),
    "&&": () => Number(left !== 0 && right !== 0),
    "==": () => Number(left === right),
    "!=": () => Number(left !== right),
    "<=": () => Number(left <= right),
    ">=": () => Number(left >= right),
    "<": () => Number(left < right),
    ">": () => Number(left > right),
    "+": () => left + right,
    "-": () => left - right,
    "*": () => left * right,
    "/": () => divided(left, right),
    "%": () => left - right * divided(left, right),
  };
  return results[operator]?.() ?? 0;
};

const divided = (left: number, right: number): number => {
  if (right === 0) throw new Error("division by 0");
  return Math.trunc(left / right);
};

/** What `$((...))` is worth. Throws for what the model does not read. */
export const arithmetic = (text: string, variables: Variables): number => {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|\+\+|--|[-+*/%]=|[|]{2}|&&|[=!<>]=|[-+*/%()<>!=]/g) ?? [];
  let at = 0;
  const valueOf = (name: string): number => Number(variables.get(name)) || 0;
  const primary = (): number => {
    const token = tokens[at] ?? "";
    at += 1;
    if (token === "(") {
      const inner = level(0);
      at += 1;
      return inner;
    }
    if (token === "-") return -primary();
    if (token === "+") return primary();
    if (token === "!") return Number(primary() === 0);
    if (/^\d/.test(token)) return Number(token);
    if (!/^[A-Za-z_]/.test(token)) throw new Error(`${text}: syntax error in expression`);
    return named(token);
  };
  const named = (name: string): number => {
    const next = tokens[at] ?? "";
    if (next === "++" || next === "--") {
      at += 1;
      const before = valueOf(name);
      variables.set(name, String(before + (next === "++" ? 1 : -1)));
      return before;
    }
    if (!/^[-+*/%]?=$/.test(next)) return valueOf(name);
    at += 1;
    const right = level(0);
    const result = next === "=" ? right : apply(next.charAt(0), valueOf(name), right);
    variables.set(name, String(result));
    return result;
  };
  const level = (depth: number): number => {
    const operators = binary[depth];
    if (operators === undefined) return primary();
    let left = level(depth + 1);
    while (operators.includes(tokens[at] ?? "")) {
      const operator = tokens[at] ?? "";
      at += 1;
      left = apply(operator, left, level(depth + 1));
    }
    return left;
  };
  return tokens.length === 0 ? 0 : level(0);
};
