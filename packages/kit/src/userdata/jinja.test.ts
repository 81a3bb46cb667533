import { expect, it } from "vitest";
import { closedJinja, withClosedJinja } from "./jinja.ts";

it.each([
  ["plain { } text", "plain { } text"],
  ["{{ a }} {% if b %}{# c #}", "{{ a }} {% if b %}{# c #}"],
  ["${#array[@]}", "${{ '{#' }}array[@]}"],
  ["{{ a }} ${#array[@]} {%", "{{ a }} ${{ '{#' }}array[@]} {{ '{%' }}"],
  ["{{", "{{ '{{' }}"],
  ["{{#", "{{ '{{' }}#"],
])("what begins like Jinja in %j and does not end is printed as it is", (text, expected) =>
  expect(closedJinja(text)).toBe(expected),
);

it("closes every text of a value, and nothing else", () => {
  expect(withClosedJinja({ a: ["{#", 1, null, { b: "{{ c }}" }], d: true })).toEqual({
    a: ["{{ '{#' }}", 1, null, { b: "{{ c }}" }],
    d: true,
  });
});
