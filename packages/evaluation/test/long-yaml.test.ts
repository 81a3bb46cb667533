import { readLongYaml } from "@capstan/evaluation/yaml";
import { readYaml, readYaml11Value, YamlError } from "@capstan/kube-values/yaml";
import { turnsUntil } from "@capstan/testing";
import { describe, expect, it } from "vitest";

const marks = 80_000;
const keys = (count: number): string => Array.from({ length: count }, (_, index) => `k${index}: 0600\n`).join("");

const flow = "namespace default";

describe("YAML", () => {
  it("that is short is read here", async () => {
    const work = readLongYaml("a: 1\n---\nb: 9007199254740993\n", { marks, flow });
    expect(await turnsUntil(work)).toBe(0);
    expect(await work).toEqual(readYaml("a: 1\n---\nb: 9007199254740993\n"));
  });

  it.each(["1.1", "1.2"] as const)("that is long is read while everything else goes on: %s", async (version) => {
    const big = version === "1.2" ? "9007199254740993" : "0x1f";
    const text = `big: ${big}\n__proto__: x\n${keys(20_000)}`;
    const work = readLongYaml(text, { marks, version, flow });
    expect(await turnsUntil(work)).toBeGreaterThan(0);
    const [{ value } = { value: undefined }] = await work;
    expect(value).toEqual(version === "1.1" ? readYaml11Value(text, { marks }) : readYaml(text, { marks })[0]?.value);
  });

  it.each([
    ["short", "a: [\n", 2],
    ["long", `${keys(20_000)}b: [}\n`, 20_001],
    ["longer than may be", keys(50_000), undefined],
  ])("that cannot be read is refused with its line: %s", async (_, text, line) => {
    const failure: unknown = await readLongYaml(text, { marks, flow }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(YamlError);
    expect((failure as YamlError).line).toBe(line);
  });
});
