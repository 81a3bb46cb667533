import type { JinjaStep } from "@capstan/kit/bootstrap";
import type { Budget } from "./budget.ts";
import { evaluate, filteredBy, type Frame } from "./expression.ts";
import { Scope } from "./scope.ts";
import type { Block } from "./tree.ts";
import { isList, isTrue, itemsOf, shown, sizeOf, type Value } from "./value.ts";

const frame = (scope: Scope, budget: Budget): Frame => ({ scope, budget, depth: 0 });

const assign = (scope: Scope, names: readonly string[], value: Value): void => {
  if (names.some((name) => name.includes("."))) throw new Error("namespaces are not modelled");
  const [only = ""] = names;
  if (names.length === 1) scope.set(only, value);
  else {
    const values = isList(value) ? value : itemsOf(value);
    if (values.length !== names.length) throw new Error(`${names.length} names get ${values.length} values`);
    names.forEach((name, index) => scope.set(name, values[index] ?? null));
  }
};

const loopVariable = (index: number, items: readonly Value[]): Value =>
  new Map<string, Value>([
    ["index", index + 1],
    ["index0", index],
    ["revindex", items.length - index],
    ["revindex0", items.length - index - 1],
    ["first", index === 0],
    ["last", index === items.length - 1],
    ["length", items.length],
  ]);

const loop = (block: Block & { readonly kind: "for" }, scope: Scope, budget: Budget): string => {
  const { condition, names, of } = block.loop;
  const inner = new Scope(scope);
  const items = itemsOf(evaluate(of, frame(scope, budget))).filter((item) => {
    if (condition === undefined) return true;
    assign(inner, names, item);
    return isTrue(evaluate(condition, frame(inner, budget)));
  });
  if (items.length === 0) return render(block.otherwise, scope, budget);
  return items
    .map((item, index) => {
      const each = new Scope(scope);
      assign(each, names, item);
      each.set("loop", loopVariable(index, items));
      return render(block.body, each, budget);
    })
    .join("");
};

const filtered = (text: string, filters: readonly JinjaStep[], scope: Scope, budget: Budget): Value =>
  filters.reduce<Value>(
    (value, step) => (step.kind === "filter" ? filteredBy(value, step, frame(scope, budget)) : value),
    text,
  );

const rendered = (block: Block, scope: Scope, budget: Budget): string => {
  switch (block.kind) {
    case "text":
      return block.text;
    case "print": {
      const value = evaluate(block.value, frame(scope, budget));
      budget.pay(sizeOf(value));
      return shown(value);
    }
    case "if": {
      const branch = block.branches.find(
        ({ condition }) => condition === undefined || isTrue(evaluate(condition, frame(scope, budget))),
      );
      return branch === undefined ? "" : render(branch.body, scope, budget);
    }
    case "for":
      return loop(block, scope, budget);
    case "set":
      assign(scope, block.names, evaluate(block.value, frame(scope, budget)));
      return "";
    case "capture": {
      const text = render(block.body, new Scope(scope), budget);
      assign(scope, block.names, filtered(text, block.filters, scope, budget));
      return "";
    }
    case "filter":
      return shown(filtered(render(block.body, new Scope(scope), budget), block.filters, scope, budget));
    default: {
      const inner = new Scope(scope);
      for (const { name, value } of block.assignments) inner.set(name, evaluate(value, frame(scope, budget)));
      return render(block.body, inner, budget);
    }
  }
};

/** Returns the output of blocks, concatenated. */
export const render = (blocks: readonly Block[], scope: Scope, budget: Budget): string =>
  blocks
    .map((block) => {
      const text = rendered(block, scope, budget);
      budget.pay(text.length);
      return text;
    })
    .join("");
