import { expect, it } from "vitest";
import { presentFields } from "./present-fields.ts";

it("leaves out what is undefined, and nothing else", () => {
  const fields = presentFields<{ a?: number; b?: string; c: null; d: boolean }>({
    a: undefined,
    b: "",
    c: null,
    d: false,
  });
  expect(fields).toStrictEqual({ b: "", c: null, d: false });
});
