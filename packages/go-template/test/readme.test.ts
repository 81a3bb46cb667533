import { compileTemplate } from "@capstan/go-template";
import { sprigFunctions } from "@capstan/go-template/sprig";
import { expect, it } from "vitest";

it("the README's example renders what it says", () => {
  const template = compileTemplate('{{ range .disks }}{{ . | trimPrefix "/dev/" }} {{ end }}', {
    functions: sprigFunctions,
    missingKey: "error",
  });
  const text = template.render({ disks: ["/dev/sda", "/dev/sdb"] });
  expect(text).toBe("sda sdb ");
});
