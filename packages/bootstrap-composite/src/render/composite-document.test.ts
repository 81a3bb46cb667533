import { multipart } from "@capstan/kit/bootstrap";
import { expect, it } from "vitest";
import { compositeDocument } from "./composite-document.ts";

const base = { name: "base", content: "#cloud-config\nruncmd: [a]\n", merge: "list(append)" };

it("is one document of all parts", () => {
  expect(compositeDocument([base, base])).toBe(multipart([base, base]));
});

it("refuses what cloud-init would not know, naming the part", () => {
  expect(() => compositeDocument([base, { name: "odd", content: "hello" }])).toThrow(
    expect.objectContaining({
      code: "composite.part_unknown",
      message: expect.stringMatching(/^part odd does not start with a line/) as string,
    }),
  );
});
