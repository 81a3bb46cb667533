import { Budget, celTypeOf, compile } from "@capstan/cel";
import { expect, it } from "vitest";

it("the README's example does what its comments say", () => {
  const self = celTypeOf({
    type: "object",
    properties: { min: { type: "integer" }, max: { type: "integer" } },
  })!;
  const compiled = compile("!has(self.min) || !has(self.max) || self.min <= self.max", { declarations: { self } });
  if (!compiled.ok) throw new Error(compiled.errors[0]?.message);
  const result = compiled.program.evaluate({ self: { min: 3, max: 2 } }, { budget: new Budget() });
  expect(result).toEqual({ ok: true, value: false, cost: 9 });
});
