import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileTemplate, TemplateError } from "@capstan/go-template";
import { sprigFunctions } from "@capstan/go-template/sprig";
import { describe, expect, it } from "vitest";

interface Golden {
  readonly template: string;
  /** What Go writes; otherwise what it says is wrong. */
  readonly output?: string;
  readonly fails?: string;
}

/** Written by text/template of Go 1.26 with Sprig 3.3.0, `missingkey=error`. */
const { cases, data } = JSON.parse(readFileSync(join(import.meta.dirname, "golden/cases.json"), "utf8")) as {
  readonly data: unknown;
  readonly cases: readonly Golden[];
};

const rendered = (template: string): string =>
  compileTemplate(template, { functions: sprigFunctions, missingKey: "error" }).render(data);

describe("a template is rendered as Go renders it", () => {
  it.each(cases.filter(({ output }) => output !== undefined))("$template", ({ output, template }) => {
    expect(rendered(template)).toBe(output);
  });
});

describe("a template that Go refuses is refused", () => {
  it.each(cases.filter(({ fails }) => fails !== undefined))("$template", ({ template }) => {
    expect(() => rendered(template)).toThrow(TemplateError);
  });
});
