import { authorizerType, Authorizer, Budget, celTypeOf, compile, dyn, PatienceSpent } from "@capstan/cel";
import { describe, expect, it } from "vitest";

const texts = celTypeOf({ type: "array", items: { type: "string" } })!;
const times = celTypeOf({ type: "array", items: { type: "string", format: "date-time" } })!;

const evaluated = (source: string, self: unknown, budget: Budget, type = texts) => {
  const authorizer = new Authorizer(() => ({ allowed: true }));
  const compiled = compile(source, { declarations: { self: type, authorizer: authorizerType } });
  if (!compiled.ok) throw new Error(compiled.errors[0]?.message);
  return compiled.program.evaluate({ self, authorizer }, { budget });
};

const patient = (): Budget => new Budget(undefined, { patience: 50_000 });
const many = (text: string): readonly string[] => Array.from({ length: 1_000 }, () => text);

describe("patience ends", () => {
  it.each([
    ["comparisons", "self.all(a, self.all(b, a == b))", many("x")],
    ["patterns that repeat", "self.all(a, 'aaa'.matches(a) || true)", many("((a{10}){10}){10}")],
    ["patterns with classes of Unicode", "self.all(a, 'aaa'.matches(a) || true)", many("\\pL")],
    ["long texts that are no patterns", "self.all(a, a.matches('(x?){100}y') || true)", many("x".repeat(100))],
    ["long numbers", "self.all(a, double(self[0]) > 1.0)", ["9".repeat(1_000_000), ...many("1")]],
    ["long texts that are no numbers", "self.all(a, int(self[0]) > 1 || true)", ["9".repeat(1_000_000), ...many("1")]],
    ["lists that are joined", "self.all(a, (self + self).size() > 0)", many("x")],
  ])("for %s", (_, source, self) => {
    expect(() => evaluated(source, self, patient())).toThrow(PatienceSpent);
  });

  it("for zones of time", () => {
    const source = "self.all(a, a.getFullYear('Europe/Berlin') > 0)";
    const self = many("2024-01-01T00:00:00Z");
    expect(() => evaluated(source, self, patient(), times)).toThrow(PatienceSpent);
  });

  it("for several evaluations together", () => {
    const budget = patient();
    const self = many("x");
    expect(evaluated("self.all(a, a == 'x')", self, budget)).toMatchObject({ ok: true, value: true });
    expect(() => Array.from({ length: 20 }, () => evaluated("self.all(a, a == 'x')", self, budget))).toThrow(
      PatienceSpent,
    );
  });

  it("and cannot be hidden", () => {
    expect(() => evaluated("self.exists(a, self.all(b, a == b) && false) || true", many("x"), patient())).toThrow(
      PatienceSpent,
    );
  });
});

describe("patience is enough", () => {
  it("for what costs much, and takes no time", () => {
    const source = "authorizer.path('/a').check('get').allowed() && authorizer.path('/b').check('get').allowed()";
    expect(evaluated(source, [], patient())).toMatchObject({ ok: true, cost: expect.any(Number) as number });
  });

  it("for names that are held against a pattern", () => {
    const source = "self.all(a, a.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$'))";
    const names = Array.from({ length: 300 }, (_, index) => `name-${index}`);
    expect(evaluated(source, names, patient())).toMatchObject({ ok: true, value: true });
  });

  it("without a limit, as long as the budget is", () => {
    const result = evaluated("self.all(a, self.all(b, a == b))", many("x"), new Budget());
    expect(result).toMatchObject({ ok: false, error: { kind: "budget" } });
  });
});

describe("texts are read in linear time", () => {
  it("that look like numbers up to their end", () => {
    const result = evaluated("double(self[0]) > 1.0", [`${"9".repeat(200_000)}x`], new Budget());
    expect(result).toMatchObject({ ok: false, error: { kind: "evaluation" } });
  });

  it("and times have an end", () => {
    const long = `2024-01-01T00:00:00.${"9".repeat(100_000)}Z`;
    const compiled = compile("timestamp(self) > timestamp('2024-01-01T00:00:00Z')", { declarations: { self: dyn } });
    if (!compiled.ok) throw new Error(compiled.errors[0]?.message);
    expect(compiled.program.evaluate({ self: long })).toMatchObject({ ok: false, error: { kind: "evaluation" } });
  });
});
